import { parseListen } from "./listen.ts";
import type { LoadedConfig } from "./load.ts";
import { type Config, environmentName, settingNames, settings } from "./schema.ts";
import type { Setting } from "./setting.ts";

/** `hearth config`: every setting, its value and its origin; secrets are hidden. */
export function describeConfig(loaded: LoadedConfig): string {
  const rows = settingNames.map((name) => [name, shown(name, loaded.config), loaded.origins[name]] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  const valueWidth = Math.max(...rows.map(([, value]) => value.length));
  const head = loaded.file ? `# file: ${loaded.file}\n` : "";
  return (
    head +
    rows.map(([name, value, origin]) => `${name.padEnd(width)} = ${value.padEnd(valueWidth)}  # ${origin}`).join("\n")
  );
}

/** `hearth config --env`: the settings as lines of an environment file. */
export function configAsEnvironment(config: Config): string {
  return settingNames
    .map((name) => {
      const value = config[name];
      const setting: Setting = settings[name];
      return `${environmentName(name)}=${setting.secret ? "" : Array.isArray(value) ? value.join(",") : String(value)}`;
    })
    .join("\n");
}

/** The settings table of docs/operations.md. */
export function configAsMarkdown(): string {
  const rows = settingNames.map((name) => {
    const setting: Setting = settings[name];
    const kind = setting.type.kind === "choice" ? setting.type.of.join(" \\| ") : setting.type.kind;
    const standard = Array.isArray(setting.standard) ? setting.standard.join(", ") : String(setting.standard);
    return `| \`${name}\` | \`${environmentName(name)}\` | ${kind} | ${standard === "" ? "" : `\`${standard}\``} | ${setting.doc} |`;
  });
  return ["| setting | environment | kind | default | meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** The public URL of the site, ending in `/`. */
export function rootUrl(config: Config): string {
  if (config.root_url !== "") return config.root_url.endsWith("/") ? config.root_url : `${config.root_url}/`;
  const listen = parseListen(config.listen) ?? { hostname: "127.0.0.1", port: 3000 };
  const anyAddress = listen.hostname === "0.0.0.0" || listen.hostname === "::";
  const host = anyAddress ? "localhost" : listen.hostname.includes(":") ? `[${listen.hostname}]` : listen.hostname;
  return `http://${host}${listen.port === 80 ? "" : `:${listen.port}`}/`;
}

/** Where clients reach git over SSH; if SSH is off, what its URLs would contain. */
export function sshPlace(config: Config): { user: string; host: string; port: number } {
  // An IPv6 address keeps its brackets, which scp-like addresses need as well.
  const host = config["ssh.domain"] || new URL(rootUrl(config)).hostname;
  const port = config["ssh.port"] || parseListen(config["ssh.listen"])?.port || 22;
  return { user: config["ssh.user"], host, port };
}

export interface ShownSetting {
  readonly name: string;
  /** As JSON; undefined for a secret that is set. */
  readonly value: string | undefined;
  /** Nobody has set it. */
  readonly isDefault: boolean;
  readonly doc: string;
}

/** Every setting in the form that administrators may see. */
export function shownSettings(config: Config): ShownSetting[] {
  return settingNames.map((name) => {
    const setting: Setting = settings[name];
    const value = JSON.stringify(config[name]);
    const isDefault = value === JSON.stringify(setting.standard);
    return { name, value: setting.secret && config[name] !== "" ? undefined : value, isDefault, doc: setting.doc };
  });
}

function shown(name: keyof Config, config: Config): string {
  const setting: Setting = settings[name];
  const value = config[name];
  if (setting.secret && value !== "") return "(hidden)";
  return JSON.stringify(value);
}
