    $previous = "$(@($commandElements).Where{ $_.Extent.EndOffset -lt $cursorPosition }[-1])"
    if ($previous -eq '--profile') {
        return @(gutterbatch config --profiles -q 2>$null).Where{ $_ -like "$wordToComplete*" }
    }
    $isSheet = $previous -notlike '-*' -and $wordToComplete -notlike '-*' -and
        $command -match '^gutterbatch;(rehearse|check|import|status)(;|$)'
    if ($isSheet -or $previous -eq '--for') {
        return @([CompletionCompleters]::CompleteFilename($wordToComplete)).Where{
            $_.ResultType -eq 'ProviderContainer' -or $_.ListItemText -match '\.(GUTTERBATCH_EXTENSIONS)$'
        }
    }
