import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { Links } from "../../kernel/links.ts";
import type { Attachment } from "./types.ts";

export const AttachmentResource = Type.Object(
  {
    id: whole("Number of the file; never used again."),
    name: text("Its name."),
    size: whole("Size in bytes."),
    download_count: whole("How often it was downloaded."),
    created_at: time("When it was uploaded."),
    uuid: text("The UUID in its address."),
    browser_download_url: text("Its address."),
  },
  { $id: "Attachment", description: "A file that someone attached." },
);
export type AttachmentResource = Static<typeof AttachmentResource>;

export function attachmentAddress({ uuid }: Attachment, { rootUrl }: Links): string {
  return `${rootUrl}attachments/${uuid}`;
}

export function attachmentResource(file: Attachment, links: Links): AttachmentResource {
  return {
    id: file.id,
    name: file.name,
    size: file.sizeBytes,
    download_count: file.downloads,
    created_at: rfc3339(file.createdAt),
    uuid: file.uuid,
    browser_download_url: attachmentAddress(file, links),
  };
}
