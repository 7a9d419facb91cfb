import { bodyStream } from "../../http/body.ts";
import { type FilePart, readMultipart } from "../../http/multipart.ts";
import type { Call } from "../../http/route.ts";
import { TooLarge, ValidationFailed } from "../../kernel/errors.ts";

/** Allowance for other form fields and multipart framing. */
const FRAME_BYTES = 1 << 20;

/** Destination of an uploaded file. */
export interface UploadInto<File extends Disposable> {
  readonly maxBytes: number;
  receive(bytes: FilePart["bytes"], name: string): Promise<File>;
  tooLarge(): TooLarge;
}

export interface UploadRequest {
  /** Name of the form field. */
  readonly field: string;
  /** Overrides the sender's file name unless empty. */
  readonly name: string;
  /** The error thrown if there is no file. */
  readonly missing?: () => Error;
}

/**
 * Receives the form's single file; dispose of the result once whatever refers to it is committed.
 * @throws `missing`, by default ValidationFailed; whatever `receive` throws; TooLarge
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
