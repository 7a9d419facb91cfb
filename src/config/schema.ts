/**
 * Every setting Hearth has: its name, type, default and meaning, one file per section. The file, the environment, the
 * flags, `hearth config` and docs/operations.md are all derived from this table.
 *
 * `network.allow` in the TOML file is HEARTH_NETWORK_ALLOW in the environment.
 */

import { actionsSettings } from "./sections/actions.ts";
import { gitSettings } from "./sections/git.ts";
import { httpSettings } from "./sections/http.ts";
import { issuesSettings } from "./sections/issues.ts";
import { keysSettings } from "./sections/keys.ts";
import { lfsSettings } from "./sections/lfs.ts";
import { mailSettings } from "./sections/mail.ts";
import { mirrorsSettings } from "./sections/mirrors.ts";
import { packagesSettings } from "./sections/packages.ts";
import { processSettings } from "./sections/process.ts";
import { proxySettings } from "./sections/proxy.ts";
import { pullsSettings } from "./sections/pulls.ts";
import { repositoriesSettings } from "./sections/repositories.ts";
import { retentionSettings } from "./sections/retention.ts";
import { signInSettings } from "./sections/sign-in.ts";
import { siteSettings } from "./sections/site.ts";
import { sshSettings } from "./sections/ssh.ts";
import { webhooksSettings } from "./sections/webhooks.ts";
import type { Setting } from "./setting.ts";

export const settings = {
  ...siteSettings,
  ...proxySettings,
  ...mailSettings,
  ...signInSettings,
  ...keysSettings,
  ...repositoriesSettings,
  ...issuesSettings,
  ...pullsSettings,
  ...retentionSettings,
  ...webhooksSettings,
  ...actionsSettings,
  ...mirrorsSettings,
  ...packagesSettings,
  ...gitSettings,
  ...lfsSettings,
  ...sshSettings,
  ...httpSettings,
  ...processSettings,
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

type ValueOf<S extends Setting> = S["type"] extends { kind: "choice"; of: readonly (infer V)[] }
  ? V
  : S["type"] extends { kind: "flag" }
    ? boolean
    : S["type"] extends { kind: "number" }
      ? number
      : S["type"] extends { kind: "list" }
        ? readonly string[]
        : string;

export type Config = { readonly [K in SettingName]: ValueOf<(typeof settings)[K]> };

export const settingNames = Object.keys(settings) as SettingName[];

export function environmentName(name: SettingName): string {
  return `HEARTH_${name.replaceAll(".", "_").toUpperCase()}`;
}
