import { fileAnswer } from "../../http/file-answer.ts";
import type { Call } from "../../http/route.ts";
import type { OpenFile } from "./service.ts";

/** An address names its file for good, but files can be renamed or replaced, so clients must revalidate. */
const CACHE = "private, max-age=300";

/** Serves a file; sending its beginning counts as a download. */
export function downloadOf(call: Call, { body, countDownload, file }: OpenFile): Response {
  const headers = { "last-modified": new Date(file.createdAt).toUTCString() };
  const answer = fileAnswer(call, body, { name: file.name, tag: file.uuid, cacheControl: CACHE, headers });
  const isBeginning = answer.status === 200 || answer.headers.get("content-range")?.startsWith("bytes 0-");
  if (isBeginning && call.request.method === "GET") countDownload();
  return answer;
}
