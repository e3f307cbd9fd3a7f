_gutterbatch_sheets() {
    _gutterbatch "$@"
    if [[ "$3" =~ ^--(map|id-column|id-prefix|address|header-row|id|month)$ ]]; then
        # Nothing on this computer completes the value.
        COMPREPLY=()
        compopt +o default +o bashdefault 2>/dev/null
        return
    fi
    [[ "$3" == -* && "$3" != --for && ${#COMPREPLY[@]} -gt 0 ]] && return
    if [[ "$3" == completions && "$2" != -* ]]; then
        COMPREPLY=($(compgen -W "bash elvish fish powershell zsh" -- "$2"))
    elif [[ "$3" == --for || COMP_CWORD -gt 1 && "$2" != -* && ${COMP_WORDS[1]} =~ ^(rehearse|check|import|export|status)$ ]]; then
        local IFS=$'\n'
        COMPREPLY=($(compgen -d -- "$2"; compgen -f -- "$2" | grep -Ei '\.(GUTTERBATCH_EXTENSIONS)$'))
        compopt -o filenames 2>/dev/null
    fi
}
