/**
 * Expected outcomes that are not success. Services throw them with a code (`repository.name-taken`), the field it is
 * about and parameters; each edge (API, pages, git, terminal) has its own words for a code, and no one parses
 * another's sentence.
 */

export type FailureParams = Readonly<Record<string, string | number>>;

/** What a failure is about. */
export interface FailureFacts {
  /** The field of the request at fault, by the service's own name for it. */
  readonly field?: string | undefined;
  /** What the edges' words mention: names, limits. Never a secret. */
  readonly params?: FailureParams;
  /** What the API's answer says besides its message, where clients read it: `{ user_id: 3 }`. */
  readonly details?: FailureParams;
}

export class Failure extends Error {
  override name = "Failure";
  readonly field: string | undefined;
  readonly params: FailureParams;
  readonly details: FailureParams;

  /** @param code dotted, area first: `repository.name-taken`; an edge that has no words for it shows it as it is */
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

/** 400: semantically bad argument. */
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

/** 403: known, but not allowed. */
export class Forbidden extends Failure {
  override name = "Forbidden";
  constructor(code: string, facts?: FailureFacts) {
    super(403, code, facts);
  }
}

/** 404: missing, or invisible to the caller; the two must look the same. */
export class NotFound extends Failure {
  override name = "NotFound";
  constructor(code = "not-found", facts?: FailureFacts) {
    super(404, code, facts);
  }
}

/** 409: exists already, or changed under the caller's hands. */
export class Conflict extends Failure {
  override name = "Conflict";
  constructor(code: string, facts?: FailureFacts) {
    super(409, code, facts);
  }
}

/** 412: what must hold before it may happen does not. */
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

/** 422: a value of the request breaks a rule. */
export class ValidationFailed extends Failure {
  override name = "ValidationFailed";
  constructor(code: string, facts?: FailureFacts) {
    super(422, code, facts);
  }
}

/** 422: what a field of the request gives is no time. @param given as it came; the answer shows its beginning */
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

/** 503: too much is under way; the same may succeed a little later. */
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

/** 503: writes are stopped, because the disk failed. */
export class WritesStopped extends Failure {
  override name = "WritesStopped";
  constructor() {
    super(503, "server.writes-stopped");
  }
}

/** 507: no room left, or the disk cannot be written to. */
export class InsufficientStorage extends Failure {
  override name = "InsufficientStorage";
  constructor(code: string) {
    super(507, code);
  }
}

/** The thing moved: 301 for repositories, 307 for owners, 303 to go on to another page. */
export class Redirected extends Error {
  override name = "Redirected";
  constructor(
    readonly status: 301 | 303 | 307,
    readonly location: string,
  ) {
    super(`moved to ${location}`);
  }
}
