import { recipeText } from "../../src/packages/registries/conan/reference.ts";
import type { PackageType } from "../../src/packages/types.ts";

/** Where a package is downloaded from. */
export interface InstallFacts {
  readonly type: PackageType;
  readonly name: string;
  readonly version: string;
  readonly owner: string;
  /** The registry's URL, without a trailing slash. */
  readonly base: string;
  /** The site's host, with its port. */
  readonly host: string;
  /** Name of the first file. */
  readonly file: string;
  /** Distinguishes packages with the same name: a group, or a repository and an architecture; empty: nothing. */
  readonly place: string;
}

/** The commands that install a package, one per line; they are not translated. */
export function installLines(facts: InstallFacts): string[] {
  const { base, file, host, name, owner, place, type, version } = facts;
  // Clients that insist on https need an option for plain http.
  const isPlain = base.startsWith("http:");
  const scope = name.startsWith("@") ? `${name.slice(0, name.indexOf("/"))}:` : "";
  switch (type) {
    case "npm":
      return [`npm config set ${scope}registry=${base}/`, `npm install ${name}@${version}`];
    case "container":
      return [`docker pull ${host}/${owner.toLowerCase()}/${name}${version.includes(":") ? "@" : ":"}${version}`];
    case "pypi":
      return [`pip install --index-url ${base}/simple/ ${name}==${version}`];
    case "cargo":
      return [`[registries.${owner}]`, `index = "sparse+${base}/"`, `cargo add ${name}@${version} --registry ${owner}`];
    case "go":
      return [`GOPROXY=${base} GONOSUMDB=${name} go get ${name}@${version}`];
    case "helm":
      return [`helm repo add ${owner} ${base}`, `helm install ${name} ${owner}/${name} --version ${version}`];
    case "maven":
      return [
        `<repository><id>${owner}</id><url>${base}</url></repository>`,
        `mvn dependency:get -Dartifact=${name}:${version}`,
      ];
    case "composer":
      return [`composer config repositories.${owner} composer ${base}`, `composer require ${name}:${version}`];
    case "rubygems":
      return [`gem install ${name} --version ${version} --source ${base}`];
    case "nuget":
      return [
        `dotnet nuget add source --name ${owner} ${base}/index.json${isPlain ? " --allow-insecure-connections" : ""}`,
        `dotnet add package --source ${owner} --version ${version} ${name}`,
      ];
    case "pub":
      return [`dart pub add ${name}:${version} --hosted-url ${base}`];
    case "swift":
      return [
        `swift package-registry set ${base}${isPlain ? " --allow-insecure-http" : ""}`,
        `.package(id: "${name}", from: "${version}")`,
      ];
    case "vagrant":
      return [`vagrant box add --box-version ${version} ${base}/${name}`];
    case "conan": {
      const [user = "_", channel = "_"] = place.split("|");
      const recipe = recipeText({ name, version, user, channel });
      return [`conan remote add ${owner} ${base}`, `conan install --requires=${recipe} --remote=${owner}`];
    }
    case "conda": {
      const slash = name.lastIndexOf("/");
      const channel = slash < 0 ? base : `${base}/${name.slice(0, slash)}`;
      return [`conda install --channel ${channel} ${name.slice(slash + 1)}=${version}`];
    }
    case "debian": {
      const [distribution, component] = place.split("|");
      const key = `/etc/apt/keyrings/${owner.toLowerCase()}.asc`;
      return [
        `sudo curl -fo ${key} ${base}/repository.key`,
        `echo "deb [signed-by=${key}] ${base} ${distribution} ${component}" | sudo tee /etc/apt/sources.list.d/${owner.toLowerCase()}.list`,
        "sudo apt update",
        `sudo apt install ${name}=${version}`,
      ];
    }
    case "alpine": {
      const [branch, repository] = place.split("|");
      return [
        `(cd /etc/apk/keys && curl -fOJ ${base}/key)`,
        `echo "${base}/${branch}/${repository}" >> /etc/apk/repositories`,
        `apk add ${name}=${version}`,
      ];
    }
    case "rpm":
      return [
        `sudo curl -fo /etc/yum.repos.d/${["gitea", owner.toLowerCase(), ...namesOf(place)].join("-")}.repo ${base}${place && `/${place}`}.repo`,
        `sudo dnf install ${name}-${version.replace(/^(\d+)-(?=.*-)/, "$1:")}`,
      ];
    case "arch": {
      const [repository = ""] = place.split("|");
      return [
        `curl ${base}/repository.key | sudo pacman-key --add -`,
        `sudo pacman-key --lsign-key '${owner} (Arch Registry)'`,
        "# /etc/pacman.conf",
        `[${[owner.toLowerCase(), ...namesOf(repository)].join("-")}]`,
        `Server = ${base}${repository && `/${repository}`}/$arch`,
        `sudo pacman -Sy ${name}`,
      ];
    }
    case "chef":
      return [`knife[:supermarket_site] = '${base}'`, `knife supermarket install ${name} ${version}`];
    case "cran":
      return [`options(repos = c("${base}", getOption("repos")))`, `install.packages("${name}")`];
    case "terraform":
      return [`address = "${base}/state/${name}"`];
    default:
      return [`curl -fOJ ${base}/${name}/${version}/${file}`];
  }
}

const namesOf = (place: string) => place.split("/").filter((part) => part !== "");
