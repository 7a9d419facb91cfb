import { Type } from "@sinclair/typebox";
import { texts, whole, yesNo } from "../../http/fields.ts";

export const ApiSettingsResource = Type.Object(
  {
    max_response_items: whole("The maximum number of items on a page."),
    default_paging_num: whole("The default number of items on a page."),
    default_git_trees_per_page: whole("Number of entries on a page of a tree."),
    default_max_blob_size: whole("The largest file returned inside JSON, in bytes."),
    default_max_response_size: whole("The maximum total size when several files are returned, in bytes."),
  },
  { $id: "GeneralAPISettings", description: "Limits of the API." },
);

export const UiSettingsResource = Type.Object(
  {
    default_theme: Type.String({ description: "Theme of the pages for visitors." }),
    allowed_reactions: texts("Allowed reactions to issues and comments.", "Name of a reaction."),
    custom_emojis: texts("Additional emoji of this site.", "Name of an emoji."),
  },
  { $id: "GeneralUISettings", description: "Settings of the web pages." },
);

export const RepositorySettingsResource = Type.Object(
  {
    mirrors_disabled: yesNo("Whether mirrors are disabled."),
    http_git_disabled: yesNo("Whether git over HTTP is disabled."),
    migrations_disabled: yesNo("Whether imports from other sites are disabled."),
    stars_disabled: yesNo("Whether stars are disabled."),
    forks_disabled: yesNo("Whether forks are disabled."),
    time_tracking_disabled: yesNo("Whether time tracking is disabled."),
    lfs_disabled: yesNo("Whether Git LFS is disabled."),
  },
  { $id: "GeneralRepoSettings", description: "Settings for all repositories." },
);

export const AttachmentSettingsResource = Type.Object(
  {
    enabled: yesNo("Whether files can be attached to issues and comments."),
    allowed_types: Type.String({ description: "Accepted file name extensions and media types, separated by commas." }),
    max_size: whole("The largest file, in MiB."),
    max_files: whole("The maximum number of files at a time."),
  },
  { $id: "GeneralAttachmentSettings", description: "Settings for attachments." },
);
