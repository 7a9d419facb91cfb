import { type Static, Type } from "@sinclair/typebox";
import { maybeText, text, texts, whole } from "../http/fields.ts";
import type { HeldFile, HeldKind } from "./held-files.ts";
import type { AccountQuota } from "./service.ts";
import { type Usage, usedOf } from "./subjects.ts";
import type { QuotaGroup, QuotaRule } from "./types.ts";

const subjectsField = texts("The subjects whose total it limits.", "One of the subjects, such as `size:repos:all`.");
const limitField = whole("The limit in bytes; -1 for no limit.");
const shownToAdmins = "Shown to administrators only.";

export const QuotaRuleResource = Type.Object(
  {
    name: Type.Optional(text(`Its name. ${shownToAdmins}`)),
    limit: limitField,
    subjects: subjectsField,
  },
  { $id: "QuotaRuleInfo", description: "A quota rule: a limit on the total of some subjects." },
);

export const QuotaGroupResource = Type.Object(
  {
    name: Type.Optional(text(`Its name. ${shownToAdmins}`)),
    rules: Type.Array(QuotaRuleResource, { description: "Its rules, all of which must hold." }),
  },
  { $id: "QuotaGroup", description: "A quota group: rules that apply together." },
);

const UsedResource = Type.Object(
  {
    size: Type.Object(
      {
        repos: Type.Object(
          {
            public: whole("Git content of public repositories."),
            private: whole("Git content of private repositories."),
          },
          { $id: "QuotaUsedSizeRepos", description: "Git content of all repositories." },
        ),
        git: Type.Object({ LFS: whole("Large files.") }, { $id: "QuotaUsedSizeGit", description: "Other git data." }),
        assets: Type.Object(
          {
            attachments: Type.Object(
              { issues: whole("Files of issues and pull requests."), releases: whole("Files of releases.") },
              { $id: "QuotaUsedSizeAssetsAttachments", description: "Attached files." },
            ),
            artifacts: whole("Actions artifacts."),
            packages: Type.Object(
              { all: whole("Packages of every type.") },
              { $id: "QuotaUsedSizeAssetsPackages", description: "Packages." },
            ),
          },
          { $id: "QuotaUsedSizeAssets", description: "Everything except git data." },
        ),
      },
      { $id: "QuotaUsedSize", description: "Size in bytes." },
    ),
  },
  { $id: "QuotaUsed", description: "Current usage." },
);

export const QuotaInfoResource = Type.Object(
  {
    used: UsedResource,
    groups: Type.Array(QuotaGroupResource, { description: "The groups, one of which must allow it." }),
  },
  { $id: "QuotaInfo", description: "What an account uses, and may use." },
);

const ofFile = { name: text("Its name."), size: whole("Size in bytes."), html_url: text("Its address.") };

const AttachmentResource = Type.Object(
  {
    name: ofFile.name,
    size: ofFile.size,
    api_url: text("Its API address."),
    contained_in: Type.Object(
      { api_url: text("Its API address."), html_url: text("Its page.") },
      { description: "The item or release it is attached to." },
    ),
  },
  { $id: "QuotaUsedAttachment", description: "A file that someone attached." },
);

const ArtifactResource = Type.Object(ofFile, { $id: "QuotaUsedArtifact", description: "An Actions artifact." });

const PackageResource = Type.Object(
  { ...ofFile, type: text("The type of the package."), version: text("The version.") },
  { $id: "QuotaUsedPackage", description: "A version of a package." },
);

export const heldResources = {
  attachments: AttachmentResource,
  artifacts: ArtifactResource,
  packages: PackageResource,
} as const satisfies Record<HeldKind, unknown>;

export const CreateRuleBody = Type.Object(
  {
    name: maybeText("Its unique name."),
    limit: Type.Optional(limitField),
    subjects: Type.Optional(subjectsField),
  },
  { $id: "CreateQuotaRuleOptions", description: "The rule; all fields are required." },
);

export const EditRuleBody = Type.Object(
  { limit: Type.Optional(limitField), subjects: Type.Optional(subjectsField) },
  { $id: "EditQuotaRuleOptions", description: "The changes; fields left out are unchanged." },
);

export const CreateGroupBody = Type.Object(
  {
    name: maybeText("Its unique name."),
    rules: Type.Optional(
      Type.Array(CreateRuleBody, { description: "Existing rules, by name, and rules to create.", maxItems: 100 }),
    ),
  },
  { $id: "CreateQuotaGroupOptions", description: "The group." },
);

export const SetGroupsBody = Type.Object(
  { groups: Type.Array(Type.String({ description: "Name of a group." }), { description: "All of its groups." }) },
  { $id: "SetUserQuotaGroupsOptions", description: "The groups that an account should be in." },
);

/** @param named whether the reader may see names */
export function ruleResource(
  { name, limitBytes, subjects }: QuotaRule,
  named = true,
): Static<typeof QuotaRuleResource> {
  return { ...(named ? { name } : {}), limit: limitBytes, subjects: [...subjects] };
}

export function groupResource({ name, rules }: QuotaGroup, named = true): Static<typeof QuotaGroupResource> {
  return { ...(named ? { name } : {}), rules: rules.map((rule) => ruleResource(rule, named)) };
}

export function quotaResource({ usage, groups }: AccountQuota, named: boolean): Static<typeof QuotaInfoResource> {
  return { used: usedResource(usage), groups: groups.map((group) => groupResource(group, named)) };
}

function usedResource(usage: Usage): Static<typeof UsedResource> {
  return {
    size: {
      repos: { public: usage.publicRepos, private: usage.privateRepos },
      git: { LFS: usage.lfs },
      assets: {
        attachments: { issues: usage.issueAttachments, releases: usage.releaseAttachments },
        artifacts: usage.artifacts,
        packages: { all: usedOf(usage, "size:assets:packages:all") },
      },
    },
  };
}

export function heldResource(kind: HeldKind, file: HeldFile) {
  const { name, sizeBytes: size, url, apiUrl = "", container, package: released } = file;
  if (kind === "attachments")
    return {
      name,
      size,
      api_url: apiUrl,
      contained_in: { api_url: container?.apiUrl ?? "", html_url: container?.url ?? "" },
    };
  return kind === "packages" && released ? { name, size, html_url: url, ...released } : { name, size, html_url: url };
}
