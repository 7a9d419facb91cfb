#!/bin/sh
# Shows, as root and with strace and git installed, that the executable needs nothing and starts nothing:
# it runs in a chroot that holds the executable and the C library it is linked to, serves pages, takes a push from
# outside and a clone back, and the trace has no exec but its own and no fork.
#
#   tests/executable/trace.sh [dist/hearth]
set -eu
executable=$(realpath "${1:-dist/hearth}")
work=$(mktemp -d)
jail=$work/jail
mkdir -p "$jail/tmp" "$jail/dev" "$jail/data"
cp "$executable" "$jail/hearth"
for library in $(ldd "$executable" | grep -o '/[^ ]*'); do
  mkdir -p "$jail$(dirname "$library")"
  cp -L "$library" "$jail$library"
done
mknod "$jail/dev/urandom" c 1 9; mknod "$jail/dev/null" c 1 3; chmod 666 "$jail"/dev/*
# Bun finds itself by /proc/self/exe, as on every Linux.
mkdir "$jail/proc"; mount -t proc proc "$jail/proc"
port=$((20000 + $$ % 10000))
strace -f -qq -o "$work/trace" -e trace=execve,execveat,fork,vfork,clone,clone3 env -i $(command -v chroot) "$jail" /hearth serve --data /data --listen 127.0.0.1:$port >"$work/out" 2>&1 &
tracer=$!
trap 'kill $tracer 2>/dev/null; wait $tracer 2>/dev/null; umount -l "$jail/proc"; rm -rf "$work"' EXIT
for _ in $(seq 100); do curl -fs -o /dev/null "http://127.0.0.1:$port/api/healthz" && break; sleep 0.1; done
token=$(env -i $(command -v chroot) "$jail" /hearth admin user create --data /data --username root1 --email root1@example.org --password 'a long password' --admin --must-change-password=false --access-token | grep -o '[0-9a-f]\{40\}')
echo "in the jail: $(cd "$jail" && find . -path ./proc -prune -o -path ./data -prune -o -type f -print | sort | tr '\n' ' ')"
curl -fs -o /dev/null -w 'made a repository: %{http_code}\n' -H "Authorization: token $token" -H 'Content-Type: application/json' -d '{"name":"first"}' "http://127.0.0.1:$port/api/v1/user/repos"
git -c init.defaultBranch=main init -q "$work/source"
for n in 1 2 3; do
  echo "$n" >"$work/source/$n"
  git -C "$work/source" add -A
  git -C "$work/source" -c user.name=a -c user.email=a@b commit -q -m "$n"
done
git -C "$work/source" push -q "http://x:$token@127.0.0.1:$port/root1/first.git" HEAD:main && echo "pushed from outside"
git clone -q "http://127.0.0.1:$port/root1/first.git" "$work/clone" && echo "cloned back: $(git -C "$work/clone" rev-parse --short HEAD)"
for path in / /root1/first /root1/first/src/branch/main/1 /root1/first/commits/branch/main /api/swagger; do
  curl -s -o /dev/null -w "page $path: %{http_code}\n" "http://127.0.0.1:$port$path"
done
pkill -TERM -P $tracer || true
wait $tracer 2>/dev/null || true
# The first lines are the shell's way into the jail: env and chroot.
echo "execs: $(grep -c 'exec' "$work/trace"), of which not our own: $(grep 'exec' "$work/trace" | grep -vc '"/hearth"\|/chroot"\|/env"' || true)"
echo "forks: $(grep -E 'fork\(|clone3?\(' "$work/trace" | grep -vc 'CLONE_THREAD' || true), threads: $(grep -c 'CLONE_THREAD' "$work/trace" || true)"
grep 'exec' "$work/trace"
