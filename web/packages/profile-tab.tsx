import type { ProfileTab } from "../area.ts";
import { packagesWords } from "./words/index.ts";

/** The packages of an account, on its page. */
export const packagesTab: ProfileTab = {
  id: "packages",
  label: packagesWords.label("packages"),
  icon: "package",
  order: 40,
  count: ({ packages, packagesAccess }, { principal }, user) => {
    const seen = packagesAccess.see(principal, user.login);
    return seen ? packages.latestOfEach(seen, {}, { limit: 0, offset: 0 }).total : 0;
  },
  shown: ({ config, packagesAccess }, { principal }, user) =>
    config["packages.enabled"] && packagesAccess.see(principal, user.login) !== undefined,
  show: async (services, call, user) => {
    const { ownerListProps } = await import("./routes.tsx");
    const { PackageList } = await import("./list.tsx");
    const seen = services.packagesAccess.see(call.principal, user.login);
    return seen ? <PackageList {...ownerListProps(services, call, seen)} /> : [];
  },
};
