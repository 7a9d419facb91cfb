import type { AttributeValue } from "./file.ts";

/** What the attributes say of one path. */
export class Attributes {
  constructor(private readonly values: ReadonlyMap<string, AttributeValue>) {}

  /** Undefined when nothing is said. */
  get(name: string): AttributeValue | undefined {
    return this.values.get(name);
  }

  /** Everything that is said, without order. */
  entries(): ReadonlyMap<string, AttributeValue> {
    return this.values;
  }

  /** Not to be shown as text: `-diff`, which `binary` includes. Undefined where the content decides. */
  get isBinary(): boolean | undefined {
    const diff = this.get("diff");
    return diff === false ? true : diff === true ? false : undefined;
  }

  /** Whether line ends are git's to change; "auto" where the content decides. */
  get text(): boolean | "auto" | undefined {
    const value = this.get("text");
    return value === "auto" || typeof value === "boolean" ? value : undefined;
  }

  /** Line ends in a working tree. */
  get eol(): "lf" | "crlf" | undefined {
    const value = this.get("eol");
    return value === "lf" || value === "crlf" ? value : undefined;
  }

  /** The encoding a file has in a working tree; it is stored in UTF-8. */
  get workingTreeEncoding(): string | undefined {
    return this.textOf("working-tree-encoding");
  }

  /** The encoding viewers are to take the stored file for. */
  get encoding(): string | undefined {
    return this.textOf("encoding");
  }

  /** Left out of archives. */
  get exportIgnore(): boolean {
    return this.get("export-ignore") === true;
  }

  /** `$Format:…$` is filled in in archives. */
  get exportSubst(): boolean {
    return this.get("export-subst") === true;
  }

  /** How conflicts are merged: text lines (true), not at all (false), or by a driver (`merge=union`). */
  get merge(): AttributeValue | undefined {
    return this.get("merge");
  }

  /** `filter=lfs` */
  get filter(): string | undefined {
    return this.textOf("filter");
  }

  /** What language statistics and pages are told. */
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
