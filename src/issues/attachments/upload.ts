import { bodyStream } from "../../http/body.ts";
import { type FilePart, readMultipart } from "../../http/multipart.ts";
import type { Call } from "../../http/route.ts";
import { TooLarge, ValidationFailed } from "../../kernel/errors.ts";

/** What else stands in the form, and around the file. */
const FRAME_BYTES = 1 << 20;

/** Where an uploaded file goes. */
export interface UploadInto<File extends Disposable> {
  readonly maxBytes: number;
  receive(bytes: FilePart["bytes"], name: string): Promise<File>;
  tooLarge(): TooLarge;
}

export interface UploadRequest {
  /** The form's name for it. */
  readonly field: string;
  /** Instead of the sender's; empty: the sender's. */
  readonly name: string;
  /** What is thrown when there is none. */
  readonly missing?: () => Error;
}

/**
 * The one file of a form, in place; dispose of it when what refers to it is true.
 * @throws `missing`, by default ValidationFailed; what `receive` throws; TooLarge
 */
export async function readUpload<File extends Disposable>(
  into: UploadInto<File>,
  call: Call,
  { field, name, missing = () => required(field) }: UploadRequest,
): Promise<File> {
  const { maxBytes } = into;
  const limits = { maxFiles: 1, maxFileBytes: maxBytes + 1, maxFieldBytes: 64 * 1024 };
  const type = call.request.headers.get("content-type") ?? "";
  call.keepOpen();
  const receive = (part: FilePart) => {
    if (part.field !== field) throw missing();
    return into.receive(part.bytes, name || part.name);
  };
  const form = await readMultipart(bodyStream(call, maxBytes + FRAME_BYTES), type, limits, receive).catch((error) => {
    throw error instanceof TooLarge ? into.tooLarge() : error;
  });
  const file = form.files[0]?.file;
  if (!file) throw missing();
  return file;
}

const required = (field: string) => new ValidationFailed("value.required", { field, params: { name: "Attachment" } });
