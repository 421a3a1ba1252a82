#!/usr/bin/env bash
# Builds the libraries, and puts them where programs find them; the Makefile calls it and says how.
#   install.sh build | install | uninstall
# PREFIX, LIBDIR, DESTDIR, and FROM, from which relative ones count, come from the environment.
set -euo pipefail
fail() { echo "install.sh: $*" >&2; exit 1; }
from=${FROM:-$PWD}
absolute() { case $1 in /*) echo "$1" ;; *) echo "$from/$1" ;; esac }
prefix=$(absolute "${PREFIX:-/usr/local}")
prefix=${prefix%/}
libdir=${LIBDIR:-lib}
case $libdir in /* | *..* | "") fail "LIBDIR=$libdir is not a path below PREFIX" ;; esac
case $prefix in *[\"\\\$]*) fail "PREFIX=$prefix has a character that no .pc file can hold" ;; esac
root=${DESTDIR:+$(absolute "$DESTDIR")}
built=${CARGO_TARGET_DIR:+$(absolute "$CARGO_TARGET_DIR")}
cd "$(dirname "${BASH_SOURCE[0]}")"
built=${built:-$(cd ../.. && pwd)/target}/install

version=$(sed -n 's/^version = "\(.*\)"/\1/p' ../../Cargo.toml)
# Each minor version before 1.0 has a name of its own, and each major version from then on. Sizes of opaque
# structures are part of what programs are compiled with: others give another name, whatever the version.
IFS=. read -r major minor _ <<<"$version"
abi=$major
[ "$major" != 0 ] || abi=0.$minor
library=liblocox_c.so.$version
sizes=$(grep '^#define LOCOX_[A-Z_]*_LENGTH ' include/locox_sizes.h | cksum)
soname=liblocox_c.so.$abi-$(printf %08x "${sizes%% *}")
private="-lpthread -ldl -lm"

fresh() {
  [ -f "$built/liblocox_c.a" ] && [ -f "$built/$library" ] &&
    [ -z "$(find ../../Cargo.* Cargo.toml src ../../kernel/Cargo.toml ../../kernel/src ../../coordinators/Cargo.toml ../../coordinators/src -newer "$built/$library" -print -quit)" ]
}

# With whole-program optimisation unless the environment says otherwise.
build() {
  local host out
  command -v cargo >/dev/null || fail "no cargo: install Rust, or run make as somebody who has it"
  host=$(rustc -vV | sed -n 's/^host: //p')
  case $host in *-apple-* | *-windows-*) fail "$host has no ELF libraries: use cargo build --release -p locox-c" ;; esac
  out=$built/$host/release
  CARGO_PROFILE_RELEASE_LTO=${CARGO_PROFILE_RELEASE_LTO:-fat} \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=${CARGO_PROFILE_RELEASE_CODEGEN_UNITS:-1} \
    cargo rustc -q --locked --release --lib --crate-type staticlib,cdylib --target "$host" --target-dir "$built" \
    -- -C "link-arg=-Wl,-soname,$soname" || fail "the libraries do not build"
  cp "$out/liblocox_c.a" "$built/"
  cp "$out/liblocox_c.so" "$built/$library"
}

package_config() {
  cat <<END
prefix=$prefix
includedir=\${prefix}/include
libdir=\${prefix}/$libdir

Name: locox
Description: Decides which processors a job gets, when, and at whose expense
Version: $version
Cflags: -I"\${includedir}"
Libs: -L"\${libdir}" -llocox_c
Libs.private: $private
END
}

cmake_config() {
  cat <<END
# find_package(locox $abi): the targets locox::locox, the shared library, and locox::static.
get_filename_component(_locox_prefix "\${CMAKE_CURRENT_LIST_DIR}/$(sed 's,[^/][^/]*,..,g' <<<"$libdir")/../.." ABSOLUTE)
if(NOT TARGET locox::locox)
  add_library(locox::locox SHARED IMPORTED)
  set_target_properties(locox::locox PROPERTIES
    IMPORTED_LOCATION "\${_locox_prefix}/$libdir/$library"
    IMPORTED_SONAME "$soname"
    INTERFACE_INCLUDE_DIRECTORIES "\${_locox_prefix}/include")
  add_library(locox::static STATIC IMPORTED)
  set_target_properties(locox::static PROPERTIES
    IMPORTED_LOCATION "\${_locox_prefix}/$libdir/liblocox_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "\${_locox_prefix}/include"
    INTERFACE_LINK_LIBRARIES "$private")
endif()
unset(_locox_prefix)
END
}

cmake_version() {
  cat <<END
set(PACKAGE_VERSION "$version")
string(REGEX MATCH "^${abi//./\\\\.}(\\\\.|\$)" _locox_abi "\${PACKAGE_FIND_VERSION}")
if(_locox_abi AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
unset(_locox_abi)
END
}

places() {
  echo "include/locox.h
include/locox_sizes.h
$libdir/liblocox_c.a
$libdir/$library
$libdir/$soname
$libdir/liblocox_c.so
$libdir/pkgconfig/locox.pc
$libdir/cmake/locox/locoxConfig.cmake
$libdir/cmake/locox/locoxConfigVersion.cmake
share/licenses/locox/LICENSE-APACHE
share/licenses/locox/LICENSE-MIT"
}

# Everything is first written beside its place, under a name that ends so; then all are renamed.
new=.locox-new
made=()
folder() {
  [ -d "$1" ] || { folder "$(dirname "$1")" && mkdir -m 755 "$1" && made=("$1" "${made[@]}"); }
}
undo() {
  local place
  places | while read -r place; do rm -f "$root$prefix/$place$new"; done 2>/dev/null
  [ "${#made[@]}" = 0 ] || rmdir "${made[@]}"
  echo "install.sh: nothing was installed in $root$prefix" >&2
}
stage() { # place, its content on the input
  local to=$root$prefix/$1
  [ ! -d "$to" ] || { echo "install.sh: $to is a folder" >&2; return 1; }
  case $1 in
    "$libdir/$soname" | "$libdir/liblocox_c.so") ln -sfn "$library" "$to$new" ;;
    *) cat >"$to$new" && chmod "$([ "$1" = "$libdir/$library" ] && echo 755 || echo 644)" "$to$new" ;;
  esac
}
content() { # of a place
  case $1 in
    include/*) cat "$1" ;;
    */liblocox_c.a | */"$library") cat "$built/${1##*/}" ;;
    *.pc) package_config ;;
    *Config.cmake) cmake_config ;;
    *ConfigVersion.cmake) cmake_version ;;
    */LICENSE-*) cat "../../${1##*/}" ;;
  esac
}

case ${1:-} in
  build) fresh || build ;;
  install)
    fresh || build
    trap undo EXIT
    mapfile -t all < <(places)
    for place in "${all[@]}"; do
      folder "$(dirname "$root$prefix/$place")"
      content "$place" | stage "$place"
    done
    for place in "${all[@]}"; do mv -f "$root$prefix/$place$new" "$root$prefix/$place"; done
    trap - EXIT
    echo "locox $version is in $root$prefix"
    ;;
  uninstall)
    mapfile -t all < <(places)
    for place in "${all[@]}"; do rm -f "$root$prefix/$place"; done
    for place in "$libdir/cmake/locox" share/licenses/locox; do
      [ ! -d "$root$prefix/$place" ] || rmdir --ignore-fail-on-non-empty "$root$prefix/$place"
    done
    ;;
  *) fail "what? build, install or uninstall; see the Makefile" ;;
esac
