#!/usr/bin/env bash
# Makes the release of the checked-out commit in the folder `release`: the archive with its production packages, the image
# where there is a container engine, the list of packages (SBOM, CycloneDX), the notes, the checksums, and the tag.
#   scripts/release.sh             builds everything anew
#   scripts/release.sh --dry-run   without image and tag, from the packages and dist that are there, in a folder of /tmp
set -euo pipefail
cd "$(dirname "$0")/.."
dry_run=false
[ "${1:-}" != --dry-run ] || dry_run=true
version=$(node -p "require('./package.json').version")
tag=v$version
fail() { echo "$1" >&2; exit 1; }
# What only the commit of a release has.
require() {
  if "${@:2}"; then return; fi
  "$dry_run" || fail "$1"
  echo "Before the release: $1"
}
# A section of the changelog, without the blank lines around it.
section() {
  awk -v heading="## [$1]" 'index($0, heading) == 1 { inside = 1; next } /^## / { inside = 0 } inside' CHANGELOG.md | sed '/./,$!d'
}
has_date() { grep -qE "^## \[${version//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md; }
is_clean() { [ -z "$(git status --porcelain)" ]; }
has_tag() { git tag --points-at HEAD | grep -qxF "$tag"; }
# A run at the tag, such as that of .github/workflows/release.yml, makes the same release.
is_new() { has_tag || ! git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null; }
has_no_later_changes() { [ -z "$(section Unreleased)" ]; }

[ "$(node -p "require('./package-lock.json').version")" = "$version" ] || fail "package-lock.json has another version than $version: run npm install."
[ -n "$(section "$version")" ] || fail "The section of $version in CHANGELOG.md is empty."
require "Set the date of today in CHANGELOG.md: ## [$version] - $(date +%F)." has_date
require "Commit or remove what git status shows." is_clean
require "The tag $tag exists: set the next version in package.json, package-lock.json and CHANGELOG.md." is_new
require "CHANGELOG.md has changes under Unreleased: move them below the version." has_no_later_changes

work=$(mktemp -d /tmp/all-clear-release-XXXXXX)
trap 'rm -rf "$work"' EXIT
# A user without rights runs what is built in it.
chmod 755 "$work"
if "$dry_run"; then
  export BUILT=true
  output=$(mktemp -d "/tmp/all-clear-$version-dry-run-XXXXXX")
else
  # Files of sources that no longer exist would be released.
  rm -rf dist release
  output=$PWD/release
  mkdir "$output"
fi
scripts/check-release.sh "$work/all-clear"

section "$version" >"$output/notes.md"
sbom=$output/all-clear-$version.cdx.json
# From what is installed: with the lock file npm leaves out what packages for development need, too.
cp "$work/all-clear/package.json" "$work/package.json"
(cd "$work/all-clear" && npm pkg delete devDependencies optionalDependencies workspaces && npm sbom --sbom-format cyclonedx --sbom-type application) >"$sbom"
mv "$work/package.json" "$work/all-clear/package.json"
node scripts/check-sbom.ts "$sbom" "$work/all-clear"
# The same bytes for the same commit. npm pack would leave out the empty folders of the empty database.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
  --transform "s,^all-clear,all-clear-$version," -C "$work" -cf - all-clear | gzip -n >"$output/all-clear-$version.tar.gz"

image=$output/all-clear-$version-image.tar
engine=
for name in docker podman buildah; do
  if "$name" info >/dev/null 2>&1; then engine=$name && break; fi
done
if [ -z "$engine" ]; then
  echo "No image: there is no running docker, podman or buildah."
elif "$dry_run"; then
  echo "No image in a dry run; $engine would build it."
else
  "$engine" build --tag "all-clear:$version" .
  if [ "$engine" = buildah ]; then
    buildah push "all-clear:$version" "docker-archive:$image:all-clear:$version"
  else
    "$engine" save --output "$image" "all-clear:$version"
  fi
fi
(cd "$output" && sha256sum all-clear-* >SHA256SUMS && cat SHA256SUMS)
if "$dry_run"; then
  echo "The release $version can be made. What it would have is in $output."
elif has_tag; then
  echo "The release $tag is in $output."
else
  git tag --annotate "$tag" --file "$output/notes.md" --cleanup=verbatim
  echo "The release is in $output, and its commit has the tag $tag. Publish them: git push origin $tag"
fi
