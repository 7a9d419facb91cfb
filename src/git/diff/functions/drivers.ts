import type { AttributeValue } from "../../attributes/file.ts";
import { BadConfig, Config, type ConfigEntry } from "../../config/config.ts";
import { encodeName, toLatin1 } from "../../objects/names.ts";
import type { CompareOptions } from "../print/options.ts";
import { configuredLines } from "./configured.ts";
import { type FunctionLines, linesOf } from "./function-lines.ts";
import { LANGUAGES } from "./languages.ts";

/** How files with a given `diff` attribute are compared (gitattributes(5)). */
export interface DiffDriver {
  /** Undefined if the content decides. */
  readonly isBinary: boolean | undefined;
  /** Undefined for git's default heuristic. The getter throws BadFunctionPattern if the configuration is invalid. */
  readonly functions: FunctionLines | undefined;
}

const AS_TEXT: DiffDriver = { isBinary: false, functions: undefined };
const AS_BINARY: DiffDriver = { isBinary: true, functions: undefined };
const BY_CONTENT: DiffDriver = { isBinary: undefined, functions: undefined };
/** The driver for files without the attribute, and for unknown drivers. */
const DEFAULT = "default";

interface Patterns {
  readonly source: string;
  readonly syntax: "basic" | "extended";
}

/** A driver as read from the configuration so far. */
interface Configured {
  isBinary: boolean | undefined;
  patterns?: Patterns;
}

/** Parses its patterns on first use, so that invalid ones are reported only when needed. */
class PatternDriver implements DiffDriver {
  private read: FunctionLines | undefined;

  constructor(
    readonly isBinary: boolean | undefined,
    private readonly patterns: Patterns,
  ) {}

  get functions(): FunctionLines {
    this.read ??= configuredLines(this.patterns.source, this.patterns.syntax);
    return this.read;
  }
}

/**
 * git's built-in drivers and those of the configuration. External programs (`command`, `textconv`) are never run: files
 * with such a driver are shown as they are.
 */
export class DiffDrivers {
  private readonly configured = new Map<string, Configured>();
  private readonly made = new Map<string, DiffDriver | undefined>();

  /** @throws BadConfig when `diff.<driver>.binary` is neither "auto" nor a boolean, or a pattern has no value */
  constructor(config = Config.of([])) {
    for (const entry of config.entries) this.configure(config, entry);
  }

  /** @param value value of the `diff` attribute */
  of(value: AttributeValue | undefined): DiffDriver {
    if (value === true) return AS_TEXT;
    if (value === false) return AS_BINARY;
    return (value === undefined ? undefined : this.named(value)) ?? this.named(DEFAULT) ?? BY_CONTENT;
  }

  private named(name: string): DiffDriver | undefined {
    if (!this.made.has(name)) this.made.set(name, this.make(name));
    return this.made.get(name);
  }

  private make(name: string): DiffDriver | undefined {
    const rules = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined;
    const configured = this.configured.get(name);
    if (!rules && !configured) return undefined;
    const { isBinary, patterns } = configured ?? { isBinary: undefined };
    if (patterns) return new PatternDriver(isBinary, patterns);
    return { isBinary, functions: rules && linesOf(rules) };
  }

  private configure(config: Config, { name: key, value }: ConfigEntry): void {
    const [, driver, setting] = /^diff\.(.+)\.(x?funcname|binary)$/s.exec(key) ?? [];
    if (driver === undefined) return;
    const name = latin1(driver);
    const settings: Configured = this.configured.get(name) ?? { isBinary: undefined };
    this.configured.set(name, settings);
    if (setting === "binary") settings.isBinary = value?.toLowerCase() === "auto" ? undefined : config.boolean(key);
    else if (value === undefined) throw new BadConfig(`missing value for '${key}'`);
    else settings.patterns = { source: latin1(value), syntax: setting === "funcname" ? "basic" : "extended" };
  }
}

/** The diff options that drivers decide. @param attributeOf the `diff` attribute of a path */
export function comparedBy(
  drivers: DiffDrivers,
  attributeOf: (path: string) => AttributeValue | undefined,
): Pick<CompareOptions, "isBinaryPath" | "functionsOf"> {
  return {
    isBinaryPath: (path) => drivers.of(attributeOf(path)).isBinary,
    functionsOf: (path) => drivers.of(attributeOf(path)).functions,
  };
}

/** Configuration text in the form of attributes and lines: one character per byte. */
function latin1(text: string): string {
  return toLatin1(encodeName(text));
}
