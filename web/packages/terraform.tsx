import type { Route } from "../../src/http/route.ts";
import { param } from "../../src/http/route.ts";
import { textOf } from "../../src/kernel/json.ts";
import { packagesOnPages } from "../../src/packages/access.ts";
import { versionPath } from "../../src/packages/addresses.ts";
import { lockByHand, lockOf, readLock, unlockByHand } from "../../src/packages/registries/terraform/state.ts";
import { seenPackages } from "../../src/packages/subject.ts";
import type { Package, SeenPackages } from "../../src/packages/types.ts";
import type { WebServices } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { redirectAfterPost } from "../visit.ts";
import { packagesWords } from "./words/index.ts";

/** Locks and unlocks Terraform states manually (contract packages.md 6). */
export function terraformPages(services: WebServices): Route[] {
  const { clock, packagePublisher, packages } = services;
  const post = (action: "lock" | "unlock", handle: (seen: SeenPackages, found: Package) => void): Route => ({
    method: "POST",
    surface: "page",
    path: `/:owner/-/packages/terraform/:name/:version/terraform/${action}`,
    access: packagesOnPages("write"),
    handle: async (call) => {
      const seen = seenPackages(call);
      const version = packages.version(seen, "terraform", param(call, "name"), param(call, "version"));
      handle(seen, version.package);
      return redirectAfterPost(services, call, `/${versionPath(seen.owner.login, version)}`);
    },
  });
  return [
    post("lock", (seen, found) =>
      lockByHand(packages, packagePublisher, seen, found, seen.principal.user?.login ?? "", clock()),
    ),
    post("unlock", (seen, found) => unlockByHand(packagePublisher, seen, found)),
  ];
}

export interface StateLock {
  /** Undefined: not locked. */
  readonly by: string | undefined;
}

/** Undefined: the package is not a Terraform state. */
export function stateLockOf({ packages }: WebServices, found: Package): StateLock | undefined {
  if (found.type !== "terraform") return undefined;
  const lock = lockOf(packages, found);
  return { by: lock === undefined ? undefined : textOf(readLock(lock)["Who"]).slice(0, 255) };
}

/** The lock status of a state. */
export function StateCard({ lock, action }: { lock: StateLock; action: string | undefined }) {
  const t = useWords(packagesWords);
  const { by } = lock;
  return (
    <Card title={t("state")}>
      <p>{by === undefined ? t("stateOpen") : t("stateLocked", { person: by })}</p>
      {action === undefined ? null : (
        <form method="post" action={`${action}/terraform/${by === undefined ? "lock" : "unlock"}`}>
          <SubmitButton icon="lock">{by === undefined ? t("lock") : t("unlock")}</SubmitButton>
        </form>
      )}
    </Card>
  );
}
