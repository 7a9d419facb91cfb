import { readFields } from "../http/body.ts";
import type { Call } from "../http/route.ts";
import { Failure } from "../kernel/errors.ts";
import { OAuthError } from "./oauth-error.ts";

const MAX_BODY_BYTES = 64 * 1024;

/** The fields of a client's request, each at most once. */
export class ClientRequest {
  constructor(private readonly fields: Readonly<Record<string, string>>) {}

  /** Empty if absent. */
  text(name: string): string {
    return this.fields[name] ?? "";
  }
}

/** Reads a form or JSON. @throws OAuthError */
export async function readClientRequest(call: Call): Promise<ClientRequest> {
  let fields: Record<string, unknown>;
  try {
    ({ fields } = await readFields(call, MAX_BODY_BYTES));
  } catch (error) {
    if (error instanceof Failure && error.status < 500 && error.status !== 408)
      throw new OAuthError("invalid_request", "the body is neither a form nor JSON, or too large");
    throw error;
  }
  const texts = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) throw new OAuthError("invalid_request", "a parameter is given more than once");
    if (typeof value === "string") texts[name] = value;
  }
  return new ClientRequest(texts);
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/**
 * The client's credentials: from the body, or from HTTP Basic (RFC 6749 section 2.3.1) where the body is incomplete.
 * @throws OAuthError
 */
export function clientCredentials(call: Call, request: ClientRequest): ClientCredentials {
  const inBody = { clientId: request.text("client_id"), secret: request.text("client_secret") };
  const header = call.request.headers.get("authorization");
  if (!header || (inBody.clientId !== "" && inBody.secret !== "")) return inBody;
  const inHeader = decodeBasic(header);
  if (!inHeader) throw new OAuthError("invalid_request", "cannot parse basic auth header");
  for (const [name, key] of [
    ["client_id", "clientId"],
    ["client_secret", "secret"],
  ] as const)
    if (inBody[key] !== "" && inBody[key] !== inHeader[key])
      throw new OAuthError("invalid_request", `${name} in request body inconsistent with Authorization header`);
  return inHeader;
}

/** Both halves are form-encoded before being joined. */
function decodeBasic(header: string): ClientCredentials | undefined {
  const [, value] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim()) ?? [];
  const text = Buffer.from(value ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  try {
    const decoded = (part: string) => decodeURIComponent(part.replaceAll("+", " "));
    return { clientId: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}
