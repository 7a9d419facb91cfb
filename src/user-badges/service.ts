import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import { NotFound, ValidationFailed } from "../kernel/errors.ts";
import { websiteProblem } from "../kernel/web-address.ts";
import * as store from "./store.ts";
import type { Badge, NewBadge } from "./types.ts";

const MAX_SLUG = 40;
const MAX_TEXT = 255;

/** Badges that administrators create and give to people, whose pages show them (contract identity.md 15.1). */
export class UserBadges {
  constructor(private readonly db: Database) {}

  /** All badges, by slug. @throws Forbidden */
  all(principal: Principal): Badge[] {
    requireSiteAdmin(principal, "read");
    return store.allBadges(this.db);
  }

  /** The names of those who have each badge, by badge id. @throws Forbidden */
  holders(principal: Principal): Map<number, string[]> {
    requireSiteAdmin(principal, "read");
    const found = new Map<number, string[]>();
    for (const { badgeId, login } of store.holdersOfBadges(this.db)) {
      const names = found.get(badgeId);
      if (names) names.push(login);
      else found.set(badgeId, [login]);
    }
    return found;
  }

  /** An account's badges, by slug. The caller has checked that the account is visible. */
  of(user: User): Badge[] {
    return store.badgesOf(this.db, user.id);
  }

  /** @throws Forbidden; ValidationFailed a value that breaks a rule, or a slug that is taken */
  create(principal: Principal, badge: NewBadge): void {
    requireSiteAdmin(principal);
    if (badge.slug.length > MAX_SLUG || !/^[a-z0-9](?:-?[a-z0-9])*$/.test(badge.slug))
      throw new ValidationFailed("badge.bad-slug", { field: "slug" });
    if ([...badge.description].length > MAX_TEXT)
      throw new ValidationFailed("value.too-long", {
        field: "description",
        params: { name: "Description", max: MAX_TEXT },
      });
    const problem = websiteProblem(badge.imageUrl, { maxLength: MAX_TEXT, scheme: "required" });
    if (problem) throw new ValidationFailed(problem, { field: "image_url", params: { name: "ImageURL" } });
    if (!store.insertBadge(this.db, badge)) throw new ValidationFailed("badge.slug-taken", { field: "slug" });
  }

  /** Removes it from everyone who has it. @throws Forbidden */
  remove(principal: Principal, id: number): void {
    requireSiteAdmin(principal);
    store.deleteBadge(this.db, id);
  }

  /** All or none; does nothing for badges the account has. @throws Forbidden; NotFound there is no such badge */
  give(principal: Principal, user: User, slugs: readonly string[]): void {
    requireSiteAdmin(principal);
    this.db.transaction(() => {
      const found = store.badgesBySlug(this.db, slugs);
      const missing = slugs.find((slug) => !found.some((badge) => badge.slug === slug));
      if (missing !== undefined) throw new NotFound("badge.missing", { params: { slug: missing } });
      store.giveBadges(
        this.db,
        user.id,
        found.map(({ id }) => id),
      );
    });
  }

  /** Does nothing for badges the account does not have. @throws Forbidden */
  take(principal: Principal, user: User, slugs: readonly string[]): void {
    requireSiteAdmin(principal);
    store.takeBadges(
      this.db,
      user.id,
      store.badgesBySlug(this.db, slugs).map(({ id }) => id),
    );
  }
}
