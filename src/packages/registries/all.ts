import type { Route } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { alpineRoutes } from "./alpine/routes.ts";
import { archRoutes } from "./arch/routes.ts";
import { cargoRoutes } from "./cargo/routes.ts";
import { chefRoutes } from "./chef/routes.ts";
import { composerRoutes } from "./composer/routes.ts";
import { conanRoutes } from "./conan/routes.ts";
import { condaRoutes } from "./conda/routes.ts";
import { containerRoutes } from "./container/routes.ts";
import { cranRoutes } from "./cran/routes.ts";
import { debianRoutes } from "./debian/routes.ts";
import { genericRoutes } from "./generic/routes.ts";
import { goRoutes } from "./go/routes.ts";
import { helmRoutes } from "./helm/routes.ts";
import { mavenRoutes } from "./maven/routes.ts";
import { npmRoutes } from "./npm/routes.ts";
import { nugetRoutes } from "./nuget/routes.ts";
import { pubRoutes } from "./pub/routes.ts";
import { pypiRoutes } from "./pypi/routes.ts";
import { rpmRoutes } from "./rpm/routes.ts";
import { rubygemsRoutes } from "./rubygems/routes.ts";
import { swiftRoutes } from "./swift/routes.ts";
import { terraformRoutes } from "./terraform/routes.ts";
import { vagrantRoutes } from "./vagrant/routes.ts";

const registries = [
  genericRoutes,
  containerRoutes,
  npmRoutes,
  pypiRoutes,
  mavenRoutes,
  cargoRoutes,
  goRoutes,
  helmRoutes,
  composerRoutes,
  rubygemsRoutes,
  terraformRoutes,
  nugetRoutes,
  pubRoutes,
  swiftRoutes,
  vagrantRoutes,
  conanRoutes,
  condaRoutes,
  debianRoutes,
  alpineRoutes,
  rpmRoutes,
  archRoutes,
  chefRoutes,
  cranRoutes,
];

/** The routes of all registries; the code that reads and writes their packages is loaded on first use. */
export function registryRoutes(services: Services): Route[] {
  if (!services.config["packages.enabled"]) return [];
  return registries.flatMap((routes) => routes(services));
}
