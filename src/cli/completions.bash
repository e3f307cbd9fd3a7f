_gutterbatch_sheets() {
    _gutterbatch "$@"
    [[ "$3" == -* && "$3" != --for && ${#COMPREPLY[@]} -gt 0 ]] && return
    if [[ "$3" == --for || COMP_CWORD -gt 1 && "$2" != -* && ${COMP_WORDS[1]} =~ ^(rehearse|check|import|export|status)$ ]]; then
        local IFS=$'\n'
        COMPREPLY=($(compgen -d -- "$2"; compgen -f -- "$2" | grep -Ei '\.(GUTTERBATCH_EXTENSIONS)$'))
        compopt -o filenames 2>/dev/null
    fi
}
