import { Type } from "@sinclair/typebox";
import { texts, whole, yesNo } from "../../http/fields.ts";

export const ApiSettingsResource = Type.Object(
  {
    max_response_items: whole("The most items a page of a list has."),
    default_paging_num: whole("Items a page when a client does not say."),
    default_git_trees_per_page: whole("Entries a page of a tree."),
    default_max_blob_size: whole("The largest file that is answered as text inside JSON, in bytes."),
    default_max_response_size: whole("The most content several files together are answered with, in bytes."),
  },
  { $id: "GeneralAPISettings", description: "Limits of the API." },
);

export const UiSettingsResource = Type.Object(
  {
    default_theme: Type.String({ description: "Colours of the pages for visitors." }),
    allowed_reactions: texts("Reactions to issues and comments.", "Name of a reaction."),
    custom_emojis: texts("Emoji the site adds to the usual ones.", "Name of an emoji."),
  },
  { $id: "GeneralUISettings", description: "Settings of the pages." },
);

export const RepositorySettingsResource = Type.Object(
  {
    mirrors_disabled: yesNo("Whether mirrors are switched off."),
    http_git_disabled: yesNo("Whether git over HTTP is switched off."),
    migrations_disabled: yesNo("Whether imports from other sites are switched off."),
    stars_disabled: yesNo("Whether stars are switched off."),
    forks_disabled: yesNo("Whether forks are switched off."),
    time_tracking_disabled: yesNo("Whether time tracking is switched off."),
    lfs_disabled: yesNo("Whether Git LFS is switched off."),
  },
  { $id: "GeneralRepoSettings", description: "Settings of all repositories." },
);

export const AttachmentSettingsResource = Type.Object(
  {
    enabled: yesNo("Whether files can be attached to issues and comments."),
    allowed_types: Type.String({ description: "Endings and media types that are accepted, separated by commas." }),
    max_size: whole("The largest file, in MiB."),
    max_files: whole("The most files at a time."),
  },
  { $id: "GeneralAttachmentSettings", description: "Settings of attachments." },
);
