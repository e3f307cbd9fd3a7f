//! The header rows that CRMs, field-service tools, shops and address books export, and what each header feeds.

use gutterbatch::model::Field;
use gutterbatch::sheet::InputFile;
use gutterbatch::table::{self, TableOptions};

/// A system, the source of its header row, the row, and the fields that it feeds: `field=header`, several headers of one
/// field between `|`.
type System = (&'static str, &'static str, &'static str, &'static str);

/// The source of rows that were put together from the labels of the product's fields, because no export was found in
/// public.
const LABELS: &str = "labels of the product's fields";

const SYSTEMS: [System; 49] = [
    (
        "Salesforce report of leads",
        LABELS,
        "First Name,Last Name,Company / Account,Email,Phone,Mobile,Street,City,State/Province,Zip/Postal Code,Country,Lead Source,Lead Status,Lead Owner,Lead ID",
        "id=Lead ID,line1=Street,city=City,region=State/Province,postal_code=Zip/Postal Code,country=Country,name=Company / Account,first_name=First Name,last_name=Last Name,email=Email,phone=Phone|Mobile",
    ),
    (
        "Salesforce data export",
        "fields of the standard object Lead",
        "Id,IsDeleted,LastName,FirstName,Title,Company,Street,City,State,PostalCode,Country,Phone,MobilePhone,Email,LeadSource,OwnerId",
        "id=Id,line1=Street,city=City,region=State,postal_code=PostalCode,country=Country,name=Company,first_name=FirstName,last_name=LastName,email=Email,phone=Phone|MobilePhone",
    ),
    (
        "Salesforce report of contacts",
        "sample of a contact report in an AWS tutorial",
        "Salutation,First Name,Last Name,Title,Mailing Street,Mailing City,Mailing State/Province,Mailing Zip/Postal Code,Mailing Country,Phone,Email,Contact Record Type,Account Name,Account Owner,Lead Source",
        "line1=Mailing Street,city=Mailing City,region=Mailing State/Province,postal_code=Mailing Zip/Postal Code,country=Mailing Country,name=Account Name,first_name=First Name,last_name=Last Name,email=Email,phone=Phone",
    ),
    (
        "HubSpot",
        "header of exported views in public scripts; the address properties by their labels",
        "Record ID - Contact,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Contact owner,Last Activity Date,Lead Status,Marketing contact status,Create Date,Associated Company,Street Address,City,State/Region,Postal Code,Country/Region",
        "id=Record ID - Contact,line1=Street Address,city=City,region=State/Region,postal_code=Postal Code,country=Country/Region,first_name=First Name,last_name=Last Name,email=Email,phone=Phone Number|Mobile Phone Number",
    ),
    (
        "Zoho leads",
        LABELS,
        "Record Id,Lead Owner,Company,First Name,Last Name,Title,Email,Phone,Mobile,Lead Source,Street,City,State,Zip Code,Country,Description",
        "id=Record Id,line1=Street,city=City,region=State,postal_code=Zip Code,country=Country,name=Company,first_name=First Name,last_name=Last Name,email=Email,phone=Phone|Mobile,notes=Description",
    ),
    (
        "Zoho contacts",
        LABELS,
        "Record Id,Contact Owner,First Name,Last Name,Account Name,Email,Phone,Mailing Street,Mailing City,Mailing State,Mailing Zip,Mailing Country",
        "id=Record Id,line1=Mailing Street,city=Mailing City,region=Mailing State,postal_code=Mailing Zip,country=Mailing Country,name=Account Name,first_name=First Name,last_name=Last Name,email=Email,phone=Phone",
    ),
    (
        "Pipedrive",
        "person export quoted in public",
        "Person - ID,Person - Name,Person - First name,Person - Last name,Person - Organization,Person - Email - Work,Person - Email - Home,Person - Phone - Work,Person - Phone - Home,Person - Phone - Mobile,Person - Postal address,Person - City/town/village/locality of Postal address,Person - State/county of Postal address,Person - Country of Postal address,Person - ZIP/Postal code of Postal address,Person - Full/combined address of Postal address,Person - Notes,Person - Owner",
        "id=Person - ID,address=Person - Full/combined address of Postal address,name=Person - Name,first_name=Person - First name,last_name=Person - Last name,email=Person - Email - Work,phone=Person - Phone - Mobile|Person - Phone - Home|Person - Phone - Work,notes=Person - Notes",
    ),
    (
        "GoHighLevel",
        "Export_Contacts_*.csv in the tests of a public importer; the address columns by their labels",
        "Contact Id,First Name,Last Name,Phone,Email,Created,Last Activity,Tags,Street Address,City,State,Postal Code,Country,Opportunities",
        "id=Contact Id,line1=Street Address,city=City,region=State,postal_code=Postal Code,country=Country,first_name=First Name,last_name=Last Name,email=Email,phone=Phone",
    ),
    (
        "Jobber",
        "client export in five public importers, one of them written for 778 real rows",
        "J-ID,Display Name,Company Name,Title,First Name,Last Name,Main Phone #s,E-mails,Tags,Billing Street 1,Billing Street 2,Billing City,Billing State,Billing Country,Billing Zip code,CFT[Referred By],Work Phone #s,Mobile Phone #s,Home Phone #s,Fax Phone #s,Other Phone #s,Service Property Name,Service Street 1,Service Street 2,Service City,Service State,Service Country,Service Zip code,Text Message Enabled Phone #,Receives automatic visit reminders?,Archived,Lead Source",
        "leads.csv: two addresses: Service (W–AB) and Billing (J–O); they are equal in the first row",
    ),
    (
        "Housecall Pro",
        "the 450 columns of a customer export, as fixed in a public importer",
        "First Name,Last Name,Display Name,Mobile Number,Home Number,Email,Additional Emails,Company,Role,Work Number,Bills to,Accepts bills from,Tags,Notes,ID,Customer Type,Customer notifications enabled,Customer is Contractor,Lead Source,Customer created at,Do Not Service,Last service date,Lifetime value,Address_1 Street Line 1,Address_1 Street Line 2,Address_1 City,Address_1 State,Address_1 Postal Code,Address_1 Billing?,Address_1 Notes,Address_2 Street Line 1,Address_2 Street Line 2,Address_2 City,Address_2 State,Address_2 Postal Code,Address_2 Billing?,Address_2 Notes",
        "id=ID,line1=Address_1 Street Line 1,line2=Address_1 Street Line 2,city=Address_1 City,region=Address_1 State,postal_code=Address_1 Postal Code,name=Display Name,first_name=First Name,last_name=Last Name,email=Email,phone=Mobile Number|Home Number|Work Number,notes=Notes",
    ),
    (
        "ServiceTitan customers",
        LABELS,
        "Customer ID,Customer Name,Customer Type,Customer Street,Customer Unit,Customer City,Customer State,Customer Zip,Customer Country,Phone Number,Email",
        "id=Customer ID,line1=Customer Street,line2=Customer Unit,city=Customer City,region=Customer State,postal_code=Customer Zip,country=Customer Country,name=Customer Name,email=Email,phone=Phone Number",
    ),
    (
        "ServiceTitan locations",
        LABELS,
        "Location ID,Location Name,Location Street,Location Unit,Location City,Location State,Location Zip,Location Country,Location Phone,Location Email",
        "id=Location ID,line1=Location Street,line2=Location Unit,city=Location City,region=Location State,postal_code=Location Zip,country=Location Country,name=Location Name,email=Location Email,phone=Location Phone",
    ),
    (
        "ServiceTitan jobs",
        LABELS,
        "Job #,Job Type,Customer Name,Customer Phone,Customer Email,Location Address,Location City,Location State,Location Zip,Business Unit",
        "id=Job #,line1=Location Address,city=Location City,region=Location State,postal_code=Location Zip,name=Customer Name,email=Customer Email,phone=Customer Phone",
    ),
    (
        "JobNimbus",
        LABELS,
        "JNID,Number,Display Name,First Name,Last Name,Company,Email,Home Phone,Mobile Phone,Work Phone,Address Line 1,Address Line 2,City,State,Zip,Country,Status,Source,Sales Rep,Description",
        "id=JNID,line1=Address Line 1,line2=Address Line 2,city=City,region=State,postal_code=Zip,country=Country,name=Display Name,first_name=First Name,last_name=Last Name,email=Email,phone=Mobile Phone|Home Phone|Work Phone,notes=Description",
    ),
    (
        "AccuLynx jobs",
        LABELS,
        "Job Number,Job Name,Primary Contact,Street1,Street2,City,State,Zip,Primary Phone,Email,Milestone,Trade Types",
        "id=Job Number,line1=Street1,line2=Street2,city=City,region=State,postal_code=Zip,name=Primary Contact,email=Email,phone=Primary Phone",
    ),
    (
        "AccuLynx contacts",
        LABELS,
        "first_name,last_name,company_name,cross_reference,mailing_address_street_1,mailing_address_street_2,mailing_address_city,mailing_address_state_abbreviation,mailing_address_zip_code,mailing_address_country_abbreviation,phone_number,email_address",
        "id=cross_reference,line1=mailing_address_street_1,line2=mailing_address_street_2,city=mailing_address_city,region=mailing_address_state_abbreviation,postal_code=mailing_address_zip_code,country=mailing_address_country_abbreviation,name=company_name,first_name=first_name,last_name=last_name,email=email_address,phone=phone_number",
    ),
    (
        "Leap",
        LABELS,
        "Customer ID,First Name,Last Name,Company Name,Email,Phones,Address,Address Line 2,City,State,Zip,Country,Referred By,Customer Rep,Note",
        "id=Customer ID,line1=Address,line2=Address Line 2,city=City,region=State,postal_code=Zip,country=Country,name=Company Name,first_name=First Name,last_name=Last Name,email=Email,phone=Phones,notes=Note",
    ),
    (
        "Insurance claims",
        LABELS,
        "ID,Insured,Insured Phone,Insured Email,Loss Address,Loss City,Loss State,Loss Zip,Adjuster,Date of Loss",
        "id=ID,line1=Loss Address,city=Loss City,region=Loss State,postal_code=Loss Zip,name=Insured,email=Insured Email,phone=Insured Phone",
    ),
    (
        "County parcels",
        LABELS,
        "ID,OwnerName,SITUS_ADDR,SITUS_CITY,SITUS_STATE,SITUS_ZIP,FName,LName,Phone",
        "id=ID,line1=SITUS_ADDR,city=SITUS_CITY,region=SITUS_STATE,postal_code=SITUS_ZIP,first_name=FName,last_name=LName,phone=Phone",
    ),
    (
        "QuickBooks Online",
        LABELS,
        "Name,Company name,Street Address,City,State,Country,Zip,Phone,Email,Attachments,Open Balance",
        "line1=Street Address,city=City,region=State,postal_code=Zip,country=Country,name=Name,email=Email,phone=Phone",
    ),
    (
        "Square",
        "customer export quoted in public",
        "Reference ID,First Name,Last Name,Email Address,Phone Number,Nickname,Company Name,Street Address 1,Street Address 2,City,State,Postal Code,Birthday,Memo,Square Customer ID,Creation Source",
        "id=Square Customer ID,line1=Street Address 1,line2=Street Address 2,city=City,region=State,postal_code=Postal Code,name=Company Name,first_name=First Name,last_name=Last Name,email=Email Address,phone=Phone Number,notes=Memo",
    ),
    (
        "Google Contacts",
        "export of contacts.google.com quoted in public",
        "First Name,Middle Name,Last Name,Nickname,Organization Name,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Address 1 - Extended Address",
        "line1=Address 1 - Street,line2=Address 1 - Extended Address,city=Address 1 - City,region=Address 1 - Region,postal_code=Address 1 - Postal Code,country=Address 1 - Country,name=Organization Name,first_name=First Name,last_name=Last Name,email=E-mail 1 - Value,phone=Phone 1 - Value,notes=Notes",
    ),
    (
        "Google Contacts with a second address",
        "export of contacts.google.com quoted in public",
        "First Name,Last Name,E-mail 1 - Value,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code,Address 1 - Extended Address,Address 2 - Street,Address 2 - City,Address 2 - Region,Address 2 - Postal Code,Address 2 - Extended Address",
        "line1=Address 1 - Street,line2=Address 1 - Extended Address,city=Address 1 - City,region=Address 1 - Region,postal_code=Address 1 - Postal Code,first_name=First Name,last_name=Last Name,email=E-mail 1 - Value",
    ),
    (
        "Google Contacts until 2024",
        "export of contacts.google.com quoted in public",
        "Name,Given Name,Additional Name,Family Name,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Address 1 - Type,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country",
        "line1=Address 1 - Street,city=Address 1 - City,region=Address 1 - Region,postal_code=Address 1 - Postal Code,country=Address 1 - Country,name=Name,first_name=Given Name,last_name=Family Name,email=E-mail 1 - Value,phone=Phone 1 - Value",
    ),
    (
        "Outlook",
        "export of Outlook, in the tests of three public importers",
        "First Name,Middle Name,Last Name,Title,Suffix,Initials,Web Page,Gender,Birthday,Anniversary,Location,Language,Internet Free Busy,Notes,E-mail Address,E-mail 2 Address,E-mail 3 Address,Primary Phone,Home Phone,Home Phone 2,Mobile Phone,Pager,Home Fax,Home Address,Home Street,Home Street 2,Home Street 3,Home Address PO Box,Home City,Home State,Home Postal Code,Home Country,Spouse,Children,Manager's Name,Assistant's Name,Referred By,Company Main Phone,Business Phone,Business Phone 2,Business Fax,Assistant's Phone,Company,Job Title,Department,Office Location,Organizational ID Number,Profession,Account,Business Address,Business Street,Business Street 2,Business Street 3,Business Address PO Box,Business City,Business State,Business Postal Code,Business Country,Other Phone,Other Fax,Other Address,Other Street,Other Street 2,Other Street 3,Other Address PO Box,Other City,Other State,Other Postal Code,Other Country,Callback,Car Phone,ISDN,Radio Phone,TTY/TDD Phone,Telex,User 1,User 2,User 3,User 4,Keywords,Mileage,Hobby,Billing Information,Directory Server,Sensitivity,Priority,Private,Categories",
        "leads.csv: two addresses: Home (X–Z, AC–AF) and Other (BI–BK, BN–BQ); they are equal in the first row",
    ),
    (
        "Yahoo contacts",
        LABELS,
        "First,Middle,Last,Nickname,Email,Category,Home Address,Home City,Home State,Home ZIP,Home Country,Mobile",
        "line1=Home Address,city=Home City,region=Home State,postal_code=Home ZIP,country=Home Country,first_name=First,last_name=Last,email=Email,phone=Mobile",
    ),
    (
        "CompanyCam",
        LABELS,
        "Project ID,Project Name,Street Address 1,Street Address 2,City,State,Postal Code,Country,Contact Name,Contact Email,Contact Phone,Created At",
        "id=Project ID,line1=Street Address 1,line2=Street Address 2,city=City,region=State,postal_code=Postal Code,country=Country,name=Contact Name,email=Contact Email,phone=Contact Phone",
    ),
    (
        "ServiceTrade",
        "import template in the help of ServiceTrade",
        "location_id,location_name,street,city,state,postalcode,phone,primary_contact_first_name,primary_contact_last_name,primary_contact_email",
        "id=location_id,line1=street,city=city,region=state,postal_code=postalcode,name=location_name,first_name=primary_contact_first_name,last_name=primary_contact_last_name,email=primary_contact_email,phone=phone",
    ),
    (
        "Workiz",
        LABELS,
        "Client ID,First Name,Last Name,Company,Email,Phone,Secondary Phone,Address,Unit,City,State,Zip Code,Country,Ad Group",
        "id=Client ID,line1=Address,line2=Unit,city=City,region=State,postal_code=Zip Code,country=Country,name=Company,first_name=First Name,last_name=Last Name,email=Email,phone=Phone|Secondary Phone",
    ),
    (
        "FieldEdge",
        LABELS,
        "Account Number,Display Name,First Name,Last Name,Address 1,Address 2,City,State,Zip Code,Primary Phone,Email,Customer Type",
        "id=Account Number,line1=Address 1,line2=Address 2,city=City,region=State,postal_code=Zip Code,name=Display Name,first_name=First Name,last_name=Last Name,email=Email,phone=Primary Phone",
    ),
    (
        "Service Fusion",
        LABELS,
        "Customer Name,Account Number,Primary Contact First Name,Primary Contact Last Name,Primary Phone,Primary Email,Street Address,Unit,City,State / Province,Zip / Postal Code",
        "id=Account Number,line1=Street Address,line2=Unit,city=City,region=State / Province,postal_code=Zip / Postal Code,name=Customer Name,first_name=Primary Contact First Name,last_name=Primary Contact Last Name,email=Primary Email,phone=Primary Phone",
    ),
    (
        "Kickserv",
        LABELS,
        "Customer Number,Company,First Name,Last Name,Email Address,Phone Number,Mobile Number,Service Address,Service Address 2,Service City,Service State,Service Zip Code",
        "id=Customer Number,line1=Service Address,line2=Service Address 2,city=Service City,region=Service State,postal_code=Service Zip Code,name=Company,first_name=First Name,last_name=Last Name,email=Email Address,phone=Phone Number|Mobile Number",
    ),
    (
        "monday.com",
        LABELS,
        "Name,Subitems,Status,Email,Phone,Street,City,State,Zip,Item ID (auto generated)",
        "id=Item ID (auto generated),line1=Street,city=City,region=State,postal_code=Zip,name=Name,email=Email,phone=Phone",
    ),
    (
        "Airtable",
        LABELS,
        "Homeowner,Street Address,City,State,ZIP,Phone,Email,Record ID,Last Modified",
        "id=Record ID,line1=Street Address,city=City,region=State,postal_code=ZIP,name=Homeowner,email=Email,phone=Phone",
    ),
    (
        "Mailchimp",
        LABELS,
        "Email Address,First Name,Last Name,Street,City,State,Zip,Phone Number,MEMBER_RATING,OPTIN_TIME,LEID,EUID,NOTES,TAGS",
        "id=EUID,line1=Street,city=City,region=State,postal_code=Zip,first_name=First Name,last_name=Last Name,email=Email Address,phone=Phone Number,notes=NOTES",
    ),
    (
        "Constant Contact",
        LABELS,
        "Email address,First name,Last name,Phone - home,Phone - mobile,Street address line 1 - Home,City - Home,State/Province - Home,Zip/Postal code - Home,Country - Home",
        "line1=Street address line 1 - Home,city=City - Home,region=State/Province - Home,postal_code=Zip/Postal code - Home,country=Country - Home,first_name=First name,last_name=Last name,email=Email address,phone=Phone - mobile|Phone - home",
    ),
    (
        "Excel in Canadian French",
        LABELS,
        "N° de client,Prénom,Nom,Courriel,Téléphone,Cellulaire,Adresse,App.,Ville,Province,Code postal,Pays,Remarques",
        "id=N° de client,line1=Adresse,line2=App.,city=Ville,region=Province,postal_code=Code postal,country=Pays,first_name=Prénom,last_name=Nom,email=Courriel,phone=Téléphone|Cellulaire,notes=Remarques",
    ),
    (
        "A hand-kept list in Canadian French",
        LABELS,
        "No de dossier,Nom du client,Adresse de courriel,No de téléphone,Adresse du client,Municipalité,Prov.,Code postal,Commentaires",
        "id=No de dossier,line1=Adresse du client,city=Municipalité,region=Prov.,postal_code=Code postal,name=Nom du client,email=Adresse de courriel,phone=No de téléphone,notes=Commentaires",
    ),
    (
        "Shopify",
        LABELS,
        "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Phone,Note",
        "id=Customer ID,line1=Default Address Address1,line2=Default Address Address2,city=Default Address City,region=Default Address Province Code,postal_code=Default Address Zip,country=Default Address Country Code,first_name=First Name,last_name=Last Name,email=Email,phone=Phone,notes=Note",
    ),
    (
        "WooCommerce",
        LABELS,
        "customer_id,billing_first_name,billing_last_name,billing_email,billing_phone,billing_address_1,billing_address_2,billing_city,billing_state,billing_postcode,billing_country",
        "id=customer_id,line1=billing_address_1,line2=billing_address_2,city=billing_city,region=billing_state,postal_code=billing_postcode,country=billing_country,first_name=billing_first_name,last_name=billing_last_name,email=billing_email,phone=billing_phone",
    ),
    (
        "Wix",
        LABELS,
        "First Name,Last Name,Email 1,Phone 1,Address 1 - Type,Address 1 - Street,Address 1 - City,Address 1 - State/Region,Address 1 - Zip,Address 1 - Country",
        "line1=Address 1 - Street,city=Address 1 - City,region=Address 1 - State/Region,postal_code=Address 1 - Zip,country=Address 1 - Country,first_name=First Name,last_name=Last Name,email=Email 1,phone=Phone 1",
    ),
    (
        "Keap",
        LABELS,
        "Id,First Name,Last Name,Email,Phone 1,Street Address 1,Street Address 2,City,State,Postal Code,Country,Owner",
        "id=Id,line1=Street Address 1,line2=Street Address 2,city=City,region=State,postal_code=Postal Code,country=Country,first_name=First Name,last_name=Last Name,email=Email,phone=Phone 1",
    ),
    (
        "Insightly",
        LABELS,
        "Contact Id,Salutation,First Name,Last Name,Phone Home,Phone Mobile,Phone Business,Email Address,Address Mail Street,Address Mail City,Address Mail State,Address Mail Postal Code,Address Mail Country",
        "id=Contact Id,line1=Address Mail Street,city=Address Mail City,region=Address Mail State,postal_code=Address Mail Postal Code,country=Address Mail Country,first_name=First Name,last_name=Last Name,email=Email Address,phone=Phone Mobile|Phone Home|Phone Business",
    ),
    (
        "Freshsales",
        LABELS,
        "Id,First name,Last name,Emails,Mobile,Work phone,Address,City,State,Zipcode,Country,Sales owner",
        "id=Id,line1=Address,city=City,region=State,postal_code=Zipcode,country=Country,first_name=First name,last_name=Last name,email=Emails,phone=Mobile|Work phone",
    ),
    (
        "MarketSharp",
        LABELS,
        "Contact Id,First Name,Last Name,Address1,Address2,City,State,Zip,Home Phone,Cell Phone,Work Phone,Email 1",
        "id=Contact Id,line1=Address1,line2=Address2,city=City,region=State,postal_code=Zip,first_name=First Name,last_name=Last Name,email=Email 1,phone=Cell Phone|Home Phone|Work Phone",
    ),
    (
        "SalesRabbit",
        LABELS,
        "Lead ID,First Name,Last Name,Phone Primary,Email,Street,Street2,City,State,Zip,User,Latitude,Longitude",
        "id=Lead ID,line1=Street,line2=Street2,city=City,region=State,postal_code=Zip,first_name=First Name,last_name=Last Name,email=Email,phone=Phone Primary",
    ),
    (
        "Facebook lead forms",
        LABELS,
        "id,created_time,ad_id,ad_name,campaign_id,campaign_name,form_id,form_name,platform,full_name,email,phone_number,street_address,city,state,zip_code,country",
        "id=id,line1=street_address,city=city,region=state,postal_code=zip_code,country=country,name=full_name,email=email,phone=phone_number",
    ),
    (
        "Google lead forms",
        LABELS,
        "Lead ID,Full Name,User Email,User Phone,Street Address,City,Region,Postal Code,Country,Campaign ID",
        "id=Lead ID,line1=Street Address,city=City,region=Region,postal_code=Postal Code,country=Country,name=Full Name,email=User Email,phone=User Phone",
    ),
    (
        "Angi",
        LABELS,
        "Lead Number,First Name,Last Name,Address,City,State,Zip,Primary Phone,Secondary Phone,Email,Comments",
        "id=Lead Number,line1=Address,city=City,region=State,postal_code=Zip,first_name=First Name,last_name=Last Name,email=Email,phone=Primary Phone|Secondary Phone,notes=Comments",
    ),
];

/// Systems with several addresses, the answer to the question which one is meant, and the fields then.
const ASKED: [(&str, &str, &str); 2] = [
    (
        "Jobber",
        "Service",
        "id=J-ID,line1=Service Street 1,line2=Service Street 2,city=Service City,region=Service State,postal_code=Service Zip code,country=Service Country,name=Display Name,first_name=First Name,last_name=Last Name,email=E-mails,phone=Main Phone #s|Mobile Phone #s|Text Message Enabled Phone #|Home Phone #s|Other Phone #s|Work Phone #s",
    ),
    (
        "Outlook",
        "Home",
        "line1=Home Street,line2=Home Street 2,city=Home City,region=Home State,postal_code=Home Postal Code,country=Home Country,name=Company,first_name=First Name,last_name=Last Name,email=E-mail Address,phone=Primary Phone|Mobile Phone|Home Phone|Other Phone|Business Phone,notes=Notes",
    ),
];

/// What each field of a header row is fed from, in the form of the table above.
fn mapped(headers: &str, address: Option<&str>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.csv");
    let cells = vec!["1"; headers.split(',').count()].join(",");
    std::fs::write(&path, format!("{headers}\n{cells}\n")).unwrap();
    let has_id = headers
        .split(',')
        .any(|header| table::known_field(header) == Some(Field::Id));
    let options = TableOptions {
        derives_ids: !has_id,
        address: address.map(str::to_owned),
        ..TableOptions::default()
    };
    let table = match table::open(&InputFile::at(&path), &options) {
        Ok(table) => table,
        Err(error) => return error.to_string(),
    };
    let of = |field: Field| {
        let columns = table.columns().mapped();
        let headers = columns.filter(|(other, _)| *other == field);
        let headers: Vec<&str> = headers.map(|(_, column)| column.header).collect();
        (!headers.is_empty()).then(|| format!("{field}={}", headers.join("|")))
    };
    let fields: Vec<String> = Field::ALL.into_iter().filter_map(of).collect();
    fields.join(",")
}

#[test]
fn every_system_s_headers_feed_the_fields_that_they_mean() {
    let mut wrong = Vec::new();
    for (system, _, headers, expected) in SYSTEMS {
        let found = mapped(headers, None);
        if found != expected {
            wrong.push(format!(
                "{system}\n  expected {expected}\n  found    {found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_answer_says_which_of_several_addresses_is_meant() {
    for (system, address, expected) in ASKED {
        let (.., headers, _) = SYSTEMS.into_iter().find(|one| one.0 == system).unwrap();
        assert_eq!(mapped(headers, Some(address)), expected);
    }
}
