import { bodyStream } from "../../http/body.ts";
import { type FilePart, readMultipart } from "../../http/multipart.ts";
import type { Call } from "../../http/route.ts";
import { TooLarge, ValidationFailed } from "../../kernel/errors.ts";
import type { Attachments, Upload } from "./service.ts";

/** What else stands in the form, and around the file. */
const FRAME_BYTES = 1 << 20;

/**
 * The one file of a form, in place; dispose of it when what refers to it is true.
 * @param field the form's name for it
 * @param name instead of the sender's; empty: the sender's
 * @throws ValidationFailed there is none, or it is not allowed; TooLarge
 */
export async function readUpload(
  attachments: Attachments,
  call: Call,
  { field, name }: { readonly field: string; readonly name: string },
): Promise<Upload & Disposable> {
  const { maxBytes } = attachments.rules;
  const limits = { maxFiles: 1, maxFileBytes: maxBytes + 1, maxFieldBytes: 64 * 1024 };
  const type = call.request.headers.get("content-type") ?? "";
  call.keepOpen();
  const receive = (part: FilePart) => {
    if (part.field !== field) throw missing();
    return attachments.receive(part.bytes, name || part.name);
  };
  const missing = () => new ValidationFailed("value.required", { field, params: { name: "Attachment" } });
  const form = await readMultipart(bodyStream(call, maxBytes + FRAME_BYTES), type, limits, receive).catch((error) => {
    throw error instanceof TooLarge ? attachments.tooLarge() : error;
  });
  const file = form.files[0]?.file;
  if (!file) throw missing();
  return file;
}
