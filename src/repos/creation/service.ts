import type { Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import { formatNamed, type ObjectFormat, SHA1 } from "../../git/objects/format.ts";
import { gitIdentityOf } from "../../identity/git-identity.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, ValidationFailed } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { checkRepoName } from "../../kernel/names.ts";
import type { ServerSigning } from "../../signing/service.ts";
import { type GitignoreName, gitignoreFile, isGitignoreName } from "../templates/gitignore.ts";
import type { LabelSets } from "../templates/label-sets.ts";
import { isLicenseId, type LicenseId, licenseFile } from "../templates/licenses.ts";
import { readmeFrom, readmeNames } from "../templates/readme.ts";
import { type Repo, trustModels } from "../types.ts";
import { checkDefaultBranch, checkDescription } from "../values.ts";
import { firstCommit } from "./first-commit.ts";
import type { RepoRegistration } from "./registration.ts";

/** The input for creating a repository, by form or API (contract repositories.md 5.2). */
export interface NewRepo {
  readonly name: string;
  readonly description?: string | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly isTemplate?: boolean | undefined;
  readonly defaultBranch?: string | undefined;
  /** Start with a commit; without it the templates below are not used. */
  readonly autoInit?: boolean | undefined;
  /** Name of a template; empty: the default. */
  readonly readme?: string | undefined;
  /** Template names, separated by commas. */
  readonly gitignores?: string | undefined;
  readonly license?: string | undefined;
  readonly labels?: string | undefined;
  readonly objectFormat?: string | undefined;
  /** Unknown values mean the site's default (contract repositories.md 5.2). */
  readonly trustModel?: string | undefined;
}

/** Creates repositories whose first commit comes from templates. */
export class RepoCreator {
  constructor(
    private readonly repoRegistration: RepoRegistration,
    private readonly links: Links,
    private readonly clock: Clock,
    private readonly signing: ServerSigning,
    private readonly labelSets: LabelSets,
  ) {}

  /**
   * Validates everything before creating anything.
   * @throws BadRequest unknown README template; ValidationFailed bad name or another unknown template;
   * Conflict the name is taken; Forbidden the owner has reached the repository limit
   */
  async create(principal: Principal, owner: User, requested: NewRepo): Promise<Repo> {
    checkRepoName(requested.name);
    checkDescription(requested.description ?? "");
    checkDefaultBranch(requested.defaultBranch ?? "");
    const trustModel = trustModels.find((known) => known === requested.trustModel);
    const format = knownFormat(requested.objectFormat ?? "");
    const labels = requested.labels ?? "";
    if (labels !== "" && !this.labelSets.find(labels))
      throw new ValidationFailed("template.labels-missing", { field: "issue_labels", params: { name: labels } });
    const license = requested.autoInit ? knownLicense(requested.license ?? "") : undefined;
    const files = requested.autoInit ? await this.firstFiles(requested, owner, license) : undefined;
    // An organization cannot author commits.
    const author = owner.kind === "organization" ? (principal.user ?? owner) : owner;
    const person = gitIdentityOf(author, this.links);
    const sign = files && (await this.signing.signFor("initial", author.id));
    const committer = sign && this.signing.committerIn(trustModel);
    return this.repoRegistration.create(principal, {
      owner,
      name: requested.name,
      objectFormat: format,
      ...(requested.description === undefined ? {} : { description: requested.description }),
      ...(requested.isPrivate === undefined ? {} : { isPrivate: requested.isPrivate }),
      ...(requested.isTemplate === undefined ? {} : { isTemplate: requested.isTemplate }),
      ...(requested.defaultBranch ? { defaultBranch: requested.defaultBranch } : {}),
      ...(license ? { licenses: [license] } : {}),
      ...(labels === "" ? {} : { labels }),
      ...(trustModel ? { settings: { trustModel } } : {}),
      ...(files
        ? { initial: () => firstCommit(format, files, person, "Initial commit\n", this.clock(), sign, committer) }
        : {}),
    });
  }

  private async firstFiles(
    requested: NewRepo,
    owner: User,
    license: LicenseId | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    const readme = requested.readme || "Default";
    if (!readmeNames.some((known) => known === readme))
      throw new BadRequest("template.readme-missing", { params: { available: readmeNames.join(", ") } });
    const ignored = knownGitignores(requested.gitignores ?? "");
    const files = new Map<string, string>();
    files.set("README.md", readmeFrom({ name: requested.name, description: requested.description ?? "" }));
    if (ignored.length > 0) files.set(".gitignore", await gitignoreFile(ignored));
    if (license) {
      const { name, email } = gitIdentityOf(owner, this.links);
      const year = new Date(this.clock()).getUTCFullYear();
      files.set("LICENSE", await licenseFile(license, { owner: name, email, year, repo: requested.name }));
    }
    return files;
  }
}

function knownFormat(name: string): ObjectFormat {
  const format = name === "" ? SHA1 : formatNamed(name);
  if (!format)
    throw new ValidationFailed("repository.unknown-object-format", { field: "object_format_name", params: { name } });
  return format;
}

function knownLicense(name: string): LicenseId | undefined {
  if (name === "") return undefined;
  if (!isLicenseId(name))
    throw new ValidationFailed("template.license-missing", { field: "license", params: { name } });
  return name;
}

function knownGitignores(names: string): GitignoreName[] {
  const wanted = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return [...new Set(wanted)].map((name) => {
    if (!isGitignoreName(name))
      throw new ValidationFailed("template.gitignore-missing", { field: "gitignores", params: { name } });
    return name;
  });
}
