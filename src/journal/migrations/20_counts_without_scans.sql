-- Adds indexes of the few requests and measurements that `status` counts, so that it need not read all of them.

CREATE INDEX requests_not_created ON requests (state) WHERE state <> 'created';
CREATE INDEX measurements_gone ON measurements (gone_at) WHERE gone_at IS NOT NULL;
