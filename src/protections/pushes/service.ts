import type { Database } from "../../db/database.ts";
import type { ContentPattern } from "../../git/inspect/facts.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { secretPatterns } from "./secrets.ts";
import * as store from "./store.ts";
import { noPushLimits, type PushLimits } from "./types.ts";

const MAX_FILE_BYTES = 2 ** 40;
const MAX_PATTERNS = 50;
const MAX_PATTERN = 500;

/** The limits in effect for a repository: the stricter of the site's and its own. */
export interface EffectiveLimits {
  readonly maxFileBytes: number;
  readonly patterns: readonly ContentPattern[];
}

/** Limits on the content of pushes and edits. */
export class PushLimitService {
  constructor(
    private readonly db: Database,
    private readonly site: Pick<PushLimits, "maxFileBytes" | "refusesSecrets">,
  ) {}

  /** The repository's own limits. */
  get({ repo }: SeenRepo): PushLimits {
    return store.findLimits(this.db, repo.id) ?? noPushLimits;
  }

  /** Absent fields are left unchanged. @throws ValidationFailed a bad value */
  async set(
    seen: SeenRepo,
    edit: { readonly [Name in keyof PushLimits]?: PushLimits[Name] | undefined },
  ): Promise<PushLimits> {
    const patterns = [...new Set((edit.patterns ?? []).map((text) => text.trim()))].filter((text) => text !== "");
    await checkPatterns(patterns);
    const { maxFileBytes } = edit;
    if (maxFileBytes !== undefined && !(maxFileBytes >= 0 && maxFileBytes <= MAX_FILE_BYTES))
      throw new ValidationFailed("value.not-allowed", { field: "max_file_bytes", params: { name: "MaxFileBytes" } });
    return this.db.transaction(() => {
      const before = this.get(seen);
      const limits: PushLimits = {
        maxFileBytes: maxFileBytes ?? before.maxFileBytes,
        refusesSecrets: edit.refusesSecrets ?? before.refusesSecrets,
        patterns: edit.patterns ? patterns : before.patterns,
      };
      store.putLimits(this.db, seen.repo.id, limits);
      return limits;
    });
  }

  effective(seen: SeenRepo): EffectiveLimits {
    const own = this.get(seen);
    const sizes = [own.maxFileBytes, this.site.maxFileBytes].filter((bytes) => bytes > 0);
    const secrets = own.refusesSecrets || this.site.refusesSecrets ? secretPatterns : [];
    return {
      maxFileBytes: sizes.length === 0 ? 0 : Math.min(...sizes),
      patterns: [...secrets, ...own.patterns.map((source) => ({ name: source, source }))],
    };
  }
}

/** @throws ValidationFailed */
async function checkPatterns(patterns: readonly string[]): Promise<void> {
  const about = { field: "patterns", params: { name: "Patterns" } };
  if (patterns.length > MAX_PATTERNS || patterns.some((pattern) => pattern.length > MAX_PATTERN))
    throw new ValidationFailed("value.too-long", about);
  if (patterns.length === 0) return;
  const { RE2JS } = await import("re2js");
  for (const pattern of patterns)
    try {
      RE2JS.compile(pattern);
    } catch {
      throw new ValidationFailed("push-limits.bad-pattern", { field: "patterns", params: { pattern } });
    }
}
