/**
 * Expected outcomes other than success. Services throw them with a code (`repository.name-taken`), the field concerned
 * and parameters; each edge (API, pages, git, command line) has its own message for a code, and nobody parses another
 * edge's text.
 */

export type FailureParams = Readonly<Record<string, string | number>>;

/** The details of a failure. */
export interface FailureFacts {
  /** The request field at fault, under the service's own name for it. */
  readonly field?: string | undefined;
  /** Values that the edges' messages mention: names, limits. Never a secret. */
  readonly params?: FailureParams;
  /** Machine-readable fields of the API's answer, besides its message: `{ user_id: 3 }`. */
  readonly details?: FailureParams;
}

export class Failure extends Error {
  override name = "Failure";
  readonly field: string | undefined;
  readonly params: FailureParams;
  readonly details: FailureParams;

  /** @param code dotted, area first: `repository.name-taken`; an edge without a message for it shows the code itself */
  constructor(
    readonly status: number,
    readonly code: string,
    { field, params = {}, details = {} }: FailureFacts = {},
  ) {
    super(code);
    this.field = field;
    this.params = params;
    this.details = details;
  }
}

/** 400: semantically invalid argument. */
export class BadRequest extends Failure {
  override name = "BadRequest";
  constructor(code: string, facts?: FailureFacts) {
    super(400, code, facts);
  }
}

/** 401: credentials missing where required, or present but wrong. */
export class Unauthorised extends Failure {
  override name = "Unauthorised";
  constructor(code = "access.sign-in-required", facts?: FailureFacts) {
    super(401, code, facts);
  }
}

/** 403: authenticated, but not allowed. */
export class Forbidden extends Failure {
  override name = "Forbidden";
  constructor(code: string, facts?: FailureFacts) {
    super(403, code, facts);
  }
}

/** 404: missing, or invisible to the caller; the two must be indistinguishable. */
export class NotFound extends Failure {
  override name = "NotFound";
  constructor(code = "not-found", facts?: FailureFacts) {
    super(404, code, facts);
  }
}

/** 409: already exists, or was changed concurrently. */
export class Conflict extends Failure {
  override name = "Conflict";
  constructor(code: string, facts?: FailureFacts) {
    super(409, code, facts);
  }
}

/** 412: a precondition does not hold. */
export class PreconditionFailed extends Failure {
  override name = "PreconditionFailed";
  constructor(code: string, facts?: FailureFacts) {
    super(412, code, facts);
  }
}

/** 413 */
export class TooLarge extends Failure {
  override name = "TooLarge";
  constructor(code: string, facts?: FailureFacts) {
    super(413, code, facts);
  }
}

/** 422: a value in the request breaks a rule. */
export class ValidationFailed extends Failure {
  override name = "ValidationFailed";
  constructor(code: string, facts?: FailureFacts) {
    super(422, code, facts);
  }
}

/** 422: a field of the request is not a valid time. @param given the raw value; the answer shows its beginning */
export const badTime = (field: string, given: string): ValidationFailed =>
  new ValidationFailed("value.bad-time", { field, params: { name: field, given: given.slice(0, 100) } });

/** 423: archived. */
export class Locked extends Failure {
  override name = "Locked";
  constructor(code: string, facts?: FailureFacts) {
    super(423, code, facts);
  }
}

/** 429 */
export class TooManyRequests extends Failure {
  override name = "TooManyRequests";
  constructor(
    code: string,
    readonly retryAfterSeconds: number,
    facts?: FailureFacts,
  ) {
    super(429, code, facts);
  }
}

/** 503: too much work in progress; a retry a little later may succeed. */
export class Overloaded extends Failure {
  override name = "Overloaded";
  constructor(
    code: string,
    readonly retryAfterSeconds: number,
    facts?: FailureFacts,
  ) {
    super(503, code, facts);
  }
}

/** 503: writes are stopped because the disk failed. */
export class WritesStopped extends Failure {
  override name = "WritesStopped";
  constructor() {
    super(503, "server.writes-stopped");
  }
}

/** 507: the disk is full or cannot be written. */
export class InsufficientStorage extends Failure {
  override name = "InsufficientStorage";
  constructor(code: string) {
    super(507, code);
  }
}

/** The resource has moved: 301 for repositories, 307 for owners, 303 to continue on another page. */
export class Redirected extends Error {
  override name = "Redirected";
  constructor(
    readonly status: 301 | 303 | 307,
    readonly location: string,
  ) {
    super(`moved to ${location}`);
  }
}
