import {
  create,
  type DescMessage,
  fromBinary,
  fromJsonString,
  type MessageInitShape,
  type MessageShape,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { readBody } from "../../../http/body.ts";
import type { ErrorMessages } from "../../../http/error-words.ts";
import type { Access, Call, Route } from "../../../http/route.ts";
import { BadRequest, Failure } from "../../../kernel/errors.ts";

/**
 * Unary calls of the Connect protocol (contract actions.md 6.1): the body is one message in protobuf's binary or JSON
 * form, and the response uses the same form. Errors are always JSON.
 */

const BINARY = "application/proto";
const JSON_FORM = "application/json";
/** Registration, declaration and polling messages are small. */
const MAX_MESSAGE_BYTES = 1 << 18;

/** Runners have no account, and must work on a closed site too. */
const runners: Access = { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true };

export interface Procedure<Input extends DescMessage, Output extends DescMessage> {
  /** `/api/actions/ping.v1.PingService/Ping` */
  readonly path: string;
  readonly input: Input;
  readonly output: Output;
  /** The texts of error messages. */
  readonly messages: ErrorMessages;
  /** `MAX_MESSAGE_BYTES` if absent. */
  readonly maxBytes?: number;
  /**
   * Bounds a binary message before decoding. JSON, which no runner sends, is limited to `MAX_MESSAGE_BYTES`.
   * @throws BadRequest
   */
  readonly bound?: (message: Uint8Array) => Uint8Array;
  answer(message: MessageShape<Input>, call: Call): MessageInitShape<Output> | Promise<MessageInitShape<Output>>;
}

export function procedureRoute<Input extends DescMessage, Output extends DescMessage>(
  procedure: Procedure<Input, Output>,
): Route {
  const { answer, bound, input, maxBytes = MAX_MESSAGE_BYTES, messages, output, path } = procedure;
  return {
    surface: "open",
    method: "POST",
    path,
    access: runners,
    handle: async (call) => {
      const form = call.request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
      if (form !== BINARY && form !== JSON_FORM)
        return new Response(null, { status: 415, headers: { "accept-post": `${BINARY}, ${JSON_FORM}` } });
      try {
        const body = await readBody(call, form === BINARY ? maxBytes : MAX_MESSAGE_BYTES);
        const message = decoded(input, body, form, bound);
        const made = create(output, await answer(message, call));
        const bytes = form === BINARY ? new Uint8Array(toBinary(output, made)) : toJsonString(output, made);
        return new Response(bytes, { headers: { "content-type": form } });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return refusal(error, messages);
      }
    },
  };
}

/** @throws BadRequest if it is not such a message */
function decoded<Input extends DescMessage>(
  input: Input,
  bytes: Uint8Array,
  form: typeof BINARY | typeof JSON_FORM,
  bound: Procedure<Input, DescMessage>["bound"],
): MessageShape<Input> {
  try {
    if (form === BINARY) return fromBinary(input, bound?.(bytes) ?? bytes);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return fromJsonString(input, text === "" ? "{}" : text, { ignoreUnknownFields: true });
  } catch {
    throw new BadRequest("actions.bad-message");
  }
}

/** Connect error codes, by the HTTP status of what services throw. */
const codes: Readonly<Record<number, readonly [code: string, status: number]>> = {
  400: ["invalid_argument", 400],
  401: ["unauthenticated", 401],
  403: ["permission_denied", 403],
  404: ["not_found", 404],
  408: ["deadline_exceeded", 504],
  409: ["already_exists", 409],
  413: ["resource_exhausted", 429],
  422: ["invalid_argument", 400],
  429: ["resource_exhausted", 429],
  503: ["unavailable", 503],
  507: ["unavailable", 503],
};

function refusal(failure: Failure, messages: ErrorMessages): Response {
  const [code, status] = codes[failure.status] ?? ["unknown", 500];
  // Clients that parse errors expect the bare media type, without a charset.
  const body = JSON.stringify({ code, message: messages.of(failure) });
  return new Response(body, { status, headers: { "content-type": JSON_FORM } });
}
