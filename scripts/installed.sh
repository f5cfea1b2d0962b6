# shellcheck shell=bash
# What scripts/install puts below a prefix, how it remembers that, and how it is taken away again.
# Read after lib.sh. The list that is kept there has lines `file SHA-256 PATH` and `folder PATH`.

# cmake/installation.cmake puts the same files at the same places.
files=(
  bin/phasegate
  share/man/man1/phasegate.1
  share/bash-completion/completions/phasegate
  share/zsh/site-functions/_phasegate
)
# Every folder they need, the innermost first.
folders=(
  bin
  share/man/man1
  share/man
  share/bash-completion/completions
  share/bash-completion
  share/zsh/site-functions
  share/zsh
  share/phasegate
  share
  .
)
list=share/phasegate/installed

digest_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1"
  else
    shasum -a 256 <"$1"
  fi 2>/dev/null | cut -d ' ' -f 1
}

# listed PREFIX LINE: does the list hold this line?
listed() {
  [[ -f "$1/$list" ]] && grep -qxF -e "$2" -- "$1/$list" 2>/dev/null
}

# why_not_ours PREFIX PATH: why the file there must not be touched; nothing if it is ours.
why_not_ours() {
  local file="$1/$2"
  if [[ -L "$file" ]]; then
    echo "it is a link"
  elif [[ -d "$file" ]]; then
    echo "it is a folder"
  elif [[ ! -f "$file" ]]; then
    echo "it is no regular file"
  elif [[ ! -r "$file" ]]; then
    echo "it cannot be read"
  elif ! listed "$1" "file $(digest_of "$file") $2"; then
    if [[ -f "$1/$list" ]] && grep -q -e "^file [0-9a-f]* $2\$" -- "$1/$list"; then
      echo "it was changed since it was installed"
    else
      echo "it is not listed among what scripts/install has put there"
    fi
  fi
}

exists() {
  [[ -e "$1" || -L "$1" ]]
}

# take_away PREFIX: 0 if nothing of ours is left, 1 if there was nothing, 3 if something stayed that
# should not have.
take_away() {
  local prefix="$1" path why removed=0 stuck=0 kept=0
  for path in "${files[@]}"; do
    if ! exists "$prefix/$path"; then continue; fi
    why="$(why_not_ours "$prefix" "$path")"
    if [[ -n "$why" ]]; then
      say "left $prefix/$path: $why"
      kept=$((kept + 1))
    elif rm -f -- "$prefix/$path" 2>/dev/null; then
      removed=$((removed + 1))
    else
      say "left $prefix/$path: it cannot be removed"
      stuck=$((stuck + 1))
    fi
  done
  if [[ "$stuck" -gt 0 ]]; then
    say "files taken out of $prefix: $removed; still there: $stuck, and their list is kept for another try"
    return 3
  fi
  if [[ ! -f "$prefix/$list" || -L "$prefix/$list" ]]; then
    if [[ "$kept" -eq 0 ]]; then
      say "nothing of phasegate lies in $prefix"
    else
      say "nothing was taken out of $prefix: there is no list of what was installed, $list"
    fi
    return 1
  fi
  local -a made=()
  for path in "${folders[@]}"; do
    if listed "$prefix" "folder $path"; then made+=("$path"); fi
  done
  if ! rm -f -- "$prefix/$list" 2>/dev/null; then
    say "left $prefix/$list: it cannot be removed"
    return 3
  fi
  # A folder that holds something of somebody else's stays.
  for path in "${made[@]+"${made[@]}"}"; do
    path="$prefix/$path"
    rmdir -- "${path%/.}" 2>/dev/null || true
  done
  say "files taken out of $prefix: $removed; sessions and workflows are left where they are"
}

# print_all BUILD FOLDER: the files as they are to lie below a prefix, out of a build's program.
# Nothing is written into the build.
print_all() {
  local program="$1/phasegate" folder="$2"
  mkdir -p "$folder/bin" "$folder/share/man/man1" "$folder/share/bash-completion/completions" \
    "$folder/share/zsh/site-functions" &&
    cp -- "$program" "$folder/bin/phasegate" &&
    "$program" help --man >"$folder/share/man/man1/phasegate.1" &&
    "$program" completion bash >"$folder/share/bash-completion/completions/phasegate" &&
    "$program" completion zsh >"$folder/share/zsh/site-functions/_phasegate"
}

# write_list PREFIX LINES: whole or not at all.
write_list() {
  local new
  new="$(mktemp "$1/${list%/*}/.installed.XXXXXX")" || return
  printf '%s' "$2" >"$new" && chmod 644 "$new" && mv -f -- "$new" "$1/$list"
}

# put_there BUILD PREFIX. Ends with 3 if it cannot be done; nothing is changed if something that is
# not ours is in the way.
put_there() {
  local from="$1" prefix="$2" path why made before new="" in_the_way=0
  if [[ ! -x "$from/phasegate" || -d "$from/phasegate" ]]; then
    say "there is no program $from/phasegate"
    exit 3
  fi
  for path in "${files[@]}"; do
    if ! exists "$prefix/$path"; then continue; fi
    why="$(why_not_ours "$prefix" "$path")"
    if [[ -z "$why" ]]; then continue; fi
    say "$prefix/$path is in the way: $why"
    in_the_way=$((in_the_way + 1))
  done
  if exists "$prefix/$list" && [[ ! -f "$prefix/$list" || -L "$prefix/$list" ]]; then
    say "$prefix/$list is in the way: it is no regular file"
    in_the_way=$((in_the_way + 1))
  fi
  if [[ "$in_the_way" -gt 0 ]]; then
    say "nothing was changed; move it away, or name another folder with --prefix DIR"
    exit 3
  fi

  staged="$(mktemp -d "${TMPDIR:-/tmp}/phasegate-install.XXXXXX")"
  trap 'rm -rf -- "$staged"' EXIT
  if ! print_all "$from" "$staged"; then
    say "$from/phasegate does not work here"
    exit 3
  fi
  for path in "${files[@]}"; do new+="file $(digest_of "$staged/$path") $path"$'\n'; done
  # Folders that were made by an earlier installation are still ours to remove.
  made=""
  for path in "${folders[@]}"; do
    if [[ ! -d "$prefix/$path" ]] || listed "$prefix" "folder $path"; then
      made+="folder $path"$'\n'
    fi
  done
  before=""
  if [[ -f "$prefix/$list" ]]; then before="$(grep -e '^file ' -- "$prefix/$list" || true)"; fi
  # While files are exchanged the list knows the old and the new ones, so that an interrupted
  # installation can be repeated or taken away.
  if ! { mkdir -p -- "$prefix/share/phasegate" && write_list "$prefix" "$before"$'\n'"$new$made" &&
    exchange_files "$staged" "$prefix" && write_list "$prefix" "$new$made"; }; then
    say "$prefix could not be written; once it can be, install again or take it away with --uninstall"
    exit 3
  fi
}

# exchange_files FROM PREFIX: each is renamed into its place, since the old program may be running.
exchange_files() {
  local path folder mode new
  for path in "${files[@]}"; do
    mode=644
    if [[ "$path" == bin/* ]]; then mode=755; fi
    folder="$2/${path%/*}"
    mkdir -p -- "$folder" && new="$(mktemp "$folder/.phasegate.XXXXXX")" || return
    if ! { cp -- "$1/$path" "$new" && chmod "$mode" "$new" && mv -f -- "$new" "$2/$path"; }; then
      rm -f -- "$new"
      return 1
    fi
  done
}
