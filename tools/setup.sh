#!/bin/sh
# Installs what is missing, on Debian 12: packages by apt-get, npm packages by the lock file.
#   tools/setup.sh build    what building and serving need
#   tools/setup.sh test     and what the tests need
# Does nothing, quickly, when all is there.
set -eu
cd "$(dirname "$0")/.."

packages="build-essential ca-certificates cmake git ninja-build pkg-config
    clang-19 lld-19 llvm-19 libclang-rt-19-dev-wasm32 wasi-libc
    libmeshoptimizer-dev libmicrohttpd-dev libsqlite3-dev"
case "${1:-build}" in
build) ;;
test) packages="$packages chromium clang-format-19 libclang-rt-19-dev libcmocka-dev valgrind" ;;
*)
    echo "usage: tools/setup.sh [build|test]" >&2
    exit 2
    ;;
esac

# Node comes from wherever the machine has it; Debian's own is taken only when there is none, since
# other builds of Node bring npm along and clash with Debian's npm package.
node_major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\).*/\1/p')
if [ "${node_major:-0}" -lt 18 ] || ! command -v npm >/dev/null 2>&1; then
    packages="$packages nodejs npm"
fi

missing=
for package in $packages; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
    echo "installing:$missing"
    sudo=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || {
            echo "tools/setup.sh: run as root, or install sudo, or install by hand:$missing" >&2
            exit 1
        }
        sudo=sudo
    fi
    apt="$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=900"
    $apt update </dev/null
    # shellcheck disable=SC2086
    $apt install -y --no-install-recommends $missing </dev/null
fi

if ! cmp -s package-lock.json node_modules/.installed-lock; then
    npm ci --no-audit --no-fund </dev/null
    cp package-lock.json node_modules/.installed-lock
fi
