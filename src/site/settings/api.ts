import type { TSchema } from "@sinclair/typebox";
import { json } from "../../http/respond.ts";
import type { Route } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import {
  ApiSettingsResource,
  AttachmentSettingsResource,
  RepositorySettingsResource,
  UiSettingsResource,
} from "./resource.ts";

/** `/settings`: site settings that clients may read in advance. */
export function settingsRoutes({ config }: Services): Route[] {
  return [
    described("api", "getGeneralAPISettings", "Get the limits of the API", ApiSettingsResource, {
      max_response_items: config["api.largest_page"],
      default_paging_num: config["api.page_size"],
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10_485_760,
      default_max_response_size: 104_857_600,
    }),
    described("ui", "getGeneralUISettings", "Get the settings of the web pages", UiSettingsResource, {
      default_theme: "auto",
      allowed_reactions: config["issues.reactions"],
      custom_emojis: [],
    }),
    described(
      "repository",
      "getGeneralRepositorySettings",
      "Get the settings for all repositories",
      RepositorySettingsResource,
      {
        mirrors_disabled: !config["mirrors.enabled"],
        http_git_disabled: false,
        migrations_disabled: !config["imports.enabled"],
        stars_disabled: !config["repository.stars"],
        forks_disabled: false,
        time_tracking_disabled: false,
        lfs_disabled: !config["lfs.enabled"],
      },
    ),
    described(
      "attachment",
      "getGeneralAttachmentSettings",
      "Get the settings for attachments",
      AttachmentSettingsResource,
      {
        enabled: config["attachments.enabled"],
        allowed_types: config["attachments.allowed_types"].join(","),
        max_size: config["attachments.max_size_mib"],
        max_files: config["attachments.max_files"],
      },
    ),
  ];
}

function described(name: string, id: string, summary: string, schema: TSchema, value: object): Route {
  return {
    method: "GET",
    path: `/api/v1/settings/${name}`,
    surface: "api",
    access: { who: "anyone", scopes: [], publicOnly: "filtered" },
    doc: { id, tag: "settings", summary, answers: { 200: { description: "The settings.", schema } } },
    handle: () => json(value),
  };
}
