import { version as hearthVersion } from "../../../package.json";
import { ProtocolError } from "../errors.ts";
import { type ObjectFormat, SHA1 } from "../objects/format.ts";

/**
 * The exchange between a git client and the server (gitprotocol-http, gitprotocol-pack, gitprotocol-v2), and the file
 * that implements each part:
 *
 *     client                                   server
 *     GET  info/refs?service=git-upload-pack   advertise()          refs and capabilities (v0, v1), capabilities (v2)
 *     POST git-upload-pack
 *       v2 command=ls-refs                     upload/ls-refs.ts    on the main thread, streamed
 *       v2 command=object-info, fetch          job `git.fetch`      upload/answer.ts reads the request, then
 *       v0 and v1: wants, haves                                       upload/wants.ts      may the client have it?
 *                                                                     upload/shallow.ts    where is history cut?
 *                                                                     upload/negotiat*.ts  what is in common?
 *                                                                     ../pack-objects/…    which objects, which bytes
 *     GET  info/refs?service=git-receive-pack  advertise()
 *     POST git-receive-pack                    receive/receive-pack.ts
 *       commands, push options                   read on the main thread (receive/request.ts)
 *       pack                                     streamed into job `git.receive`: quarantine, checks
 *                                                host's apply(): rules, admit the pack, move the refs
 *       report                                 receive/report.ts
 *     GET  HEAD, objects/…                     dumb.ts
 *
 * Every HTTP request is self-contained ("stateless RPC"): no state is kept between requests.
 * A fetch's answer leaves the worker framed for the side band, so that the main thread only passes buffers on.
 */

export type Service = "git-upload-pack" | "git-receive-pack";
export type ProtocolVersion = 0 | 1 | 2;

export const AGENT = `hearth/${hearthVersion}`;

/**
 * The version that a `Git-Protocol` header (or GIT_PROTOCOL variable) requests; 0 if it names no known one. The whole
 * header is ignored unless it is a colon-separated list of alphanumeric `key=value` words.
 */
export function requestedVersion(gitProtocol: string | null | undefined): ProtocolVersion {
  if (!gitProtocol || !/^[0-9a-zA-Z]+=[0-9a-zA-Z]+(:[0-9a-zA-Z]+=[0-9a-zA-Z]+)*$/.test(gitProtocol)) return 0;
  let version: ProtocolVersion = 0;
  for (const word of gitProtocol.split(":")) {
    if (word === "version=2") version = 2;
    else if (word === "version=1" && version === 0) version = 1;
  }
  return version;
}

/** Parses a `service=` parameter; returns undefined for any other service. */
export function parseService(name: string | null | undefined): Service | undefined {
  return name === "git-upload-pack" || name === "git-receive-pack" ? name : undefined;
}

/** The upload-pack capabilities offered in protocol 0 and 1. */
export const UPLOAD_CAPABILITIES = [
  "multi_ack",
  "thin-pack",
  "side-band",
  "side-band-64k",
  "ofs-delta",
  "shallow",
  "deepen-since",
  "deepen-not",
  "deepen-relative",
  "no-progress",
  "include-tag",
  "multi_ack_detailed",
  "allow-tip-sha1-in-want",
  "allow-reachable-sha1-in-want",
  "no-done",
  "filter",
] as const;

export const RECEIVE_CAPABILITIES = [
  "report-status",
  "report-status-v2",
  "delete-refs",
  "side-band-64k",
  "quiet",
  "atomic",
  "ofs-delta",
  "push-options",
] as const;

/** The lines of the version 2 capability advertisement after `version 2`. */
export function v2Capabilities(format: ObjectFormat): string[] {
  return [
    `agent=${AGENT}`,
    "ls-refs=unborn",
    "fetch=shallow wait-for-done filter ref-in-want",
    "server-option",
    formatCapability(format),
    "object-info",
  ];
}

/** The capability that states the object format. A client that sends none means SHA-1 (gitprotocol-capabilities). */
export function formatCapability(format: ObjectFormat): string {
  return `object-format=${format.name}`;
}

/**
 * Checks the object format in a client's capabilities.
 * @param unsaid the format a client uses if it states none
 * @throws ProtocolError when the repository has another one
 */
export function checkClientFormat(words: Iterable<string>, format: ObjectFormat, unsaid: ObjectFormat = SHA1): void {
  let client: string = unsaid.name;
  for (const word of words) if (word.startsWith("object-format=")) client = word.slice("object-format=".length);
  if (client !== format.name)
    throw new ProtocolError(`mismatched object format: server ${format.name}; client ${client.slice(0, 40)}`);
}
