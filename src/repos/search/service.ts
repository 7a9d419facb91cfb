import type { Principal } from "../../access/principal.ts";
import type { AccessControl } from "../../access/service.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RepoService } from "../service.ts";
import type { Repo, SeenRepo } from "../types.ts";
import { reposAround, reposOf, type SearchOrder, searchOrders, searchRepos, type Viewer, type Word } from "./store.ts";

/** What to look for; what is absent does not matter. */
export interface SearchRequest {
  /** Words with commas between them; one is enough. `owner/name` looks in both. */
  readonly text?: string;
  readonly inDescription?: boolean;
  /** Look for the words among topics only. */
  readonly topicOnly?: boolean;
  /** Number of an account: what it owns and, unless `exclusive`, what is shared with it. */
  readonly around?: number | undefined;
  readonly exclusive?: boolean;
  readonly mode?: string;
  readonly starredBy?: number | undefined;
  readonly teamId?: number | undefined;
  /** false: only what is open to everyone. */
  readonly withPrivate?: boolean | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly isTemplate?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  readonly firstOwner?: number | undefined;
  readonly sort?: string;
  readonly order?: string;
}

const modes = ["", "source", "fork", "mirror", "collaborative"];

/** Lists of repositories, each only with what the principal may see now. */
export class RepoSearch {
  constructor(
    private readonly db: Database,
    private readonly repos: RepoService,
    private readonly access: AccessControl,
  ) {}

  /** What an account owns, oldest first. The caller has decided that the account may be seen. */
  ownedBy(principal: Principal, owner: User, paging: Paging): Slice<SeenRepo> {
    return this.seen(principal, reposOf(this.db, owner.id, this.viewer(principal), paging.limit, paging.offset));
  }

  /**
   * What an account owns or was given more on than everyone has, by name.
   * @param part of the name; empty: all
   */
  ownAndShared(principal: Principal, user: User, paging: Paging, part = ""): Slice<SeenRepo> {
    return this.seen(
      principal,
      reposAround(this.db, user.id, this.viewer(principal), part, paging.limit, paging.offset),
    );
  }

  /**
   * Contract repositories.md 5.7.
   * @throws ValidationFailed unknown mode, sort or order
   */
  search(principal: Principal, wishes: SearchRequest, paging: Paging): Slice<SeenRepo> {
    const mode = wishes.mode ?? "";
    if (!modes.includes(mode)) throw new ValidationFailed("search.bad-mode", { field: "mode" });
    const order = orderOf(wishes);
    const words = wordsOf(wishes.text ?? "");
    // There are no forks, mirrors, teams, stars or topics yet: what asks for one finds nothing.
    const none =
      mode === "fork" ||
      mode === "mirror" ||
      (wishes.topicOnly === true && words.length > 0) ||
      (wishes.starredBy ?? 0) > 0 ||
      (wishes.teamId ?? 0) > 0;
    if (none) return { items: [], total: 0 };
    const filter = {
      words,
      inDescription: wishes.inDescription ?? false,
      around: wishes.around,
      exclusive: wishes.exclusive ?? false,
      collaborative: mode === "collaborative",
      onlyPublic: !(wishes.withPrivate ?? true) || !principal.user || principal.scope?.publicOnly === true,
      isPrivate: wishes.isPrivate,
      isTemplate: wishes.isTemplate,
      isArchived: wishes.isArchived,
      firstOwner: wishes.firstOwner ?? 0,
    };
    return this.seen(
      principal,
      searchRepos(this.db, this.viewer(principal), filter, order, paging.limit, paging.offset),
    );
  }

  private seen(principal: Principal, found: Slice<Repo>): Slice<SeenRepo> {
    return { items: this.repos.seeAll(principal, found.items), total: found.total };
  }

  private viewer(principal: Principal): Viewer {
    return { isVisible: this.access.repoCondition(), params: this.access.params(principal) };
  }
}

function orderOf(wishes: SearchRequest): { by: SearchOrder; descending: boolean } {
  const { sort = "", order = "" } = wishes;
  if (sort === "") return { by: "name", descending: false };
  const by = searchOrders.find((known) => known === sort && known !== "name");
  if (!by) throw new ValidationFailed("search.bad-sort", { field: "sort", params: { sort } });
  if (order !== "" && order !== "asc" && order !== "desc")
    throw new ValidationFailed("search.bad-order", { field: "order", params: { order } });
  return { by, descending: order === "desc" };
}

/** More words than anybody types would only cost time. */
const MAX_WORDS = 20;

function wordsOf(text: string): Word[] {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return words.slice(0, MAX_WORDS).map((word) => {
    const parts = word.split("/");
    const [owner, name] = parts;
    const both = parts.length === 2 && owner && name !== undefined;
    return { word, owner: both ? owner : null, name: both ? name : null };
  });
}
