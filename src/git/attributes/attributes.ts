import type { AttributeValue } from "./file.ts";

/** The attributes of one path. */
export class Attributes {
  constructor(private readonly values: ReadonlyMap<string, AttributeValue>) {}

  /** Undefined if the attribute is unspecified. */
  get(name: string): AttributeValue | undefined {
    return this.values.get(name);
  }

  /** All specified attributes, in no particular order. */
  entries(): ReadonlyMap<string, AttributeValue> {
    return this.values;
  }

  /** Whether not to show it as text: `-diff`, which `binary` includes. Undefined if the content decides. */
  get isBinary(): boolean | undefined {
    const diff = this.get("diff");
    return diff === false ? true : diff === true ? false : undefined;
  }

  /** Whether git may convert line endings; "auto" if the content decides. */
  get text(): boolean | "auto" | undefined {
    const value = this.get("text");
    return value === "auto" || typeof value === "boolean" ? value : undefined;
  }

  /** Line endings in a working tree. */
  get eol(): "lf" | "crlf" | undefined {
    const value = this.get("eol");
    return value === "lf" || value === "crlf" ? value : undefined;
  }

  /** The file's encoding in a working tree; it is stored in UTF-8. */
  get workingTreeEncoding(): string | undefined {
    return this.textOf("working-tree-encoding");
  }

  /** The encoding in which viewers should interpret the stored file. */
  get encoding(): string | undefined {
    return this.textOf("encoding");
  }

  /** Excluded from archives. */
  get exportIgnore(): boolean {
    return this.get("export-ignore") === true;
  }

  /** `$Format:…$` is expanded in archives. */
  get exportSubst(): boolean {
    return this.get("export-subst") === true;
  }

  /** How conflicts are merged: as text lines (true), not at all (false), or by a driver (`merge=union`). */
  get merge(): AttributeValue | undefined {
    return this.get("merge");
  }

  /** `filter=lfs` */
  get filter(): string | undefined {
    return this.textOf("filter");
  }

  /** The linguist attributes, for language statistics and pages. */
  linguist(what: "vendored" | "generated" | "documentation" | "detectable"): boolean | undefined {
    const value = this.get(`linguist-${what}`);
    return typeof value === "string" ? value !== "false" : value;
  }

  /** `linguist-language=C++`, or `gitlab-language=erb?parent=json`, whose parameters are for highlighting. */
  get languageName(): string | undefined {
    return this.textOf("linguist-language") ?? this.textOf("gitlab-language")?.split("?", 1)[0];
  }

  private textOf(name: string): string | undefined {
    const value = this.get(name);
    return typeof value === "string" && value !== "" ? value : undefined;
  }
}

export const NO_ATTRIBUTES = new Attributes(new Map());
