/**
 * Expected outcomes that are not success. Services throw them; each edge (API, page, git, CLI) turns them into
 * its own words once. `message` is shown to the caller and stable.
 */
export class Failure extends Error {
  override name = "Failure";
  constructor(
    readonly status: number,
    message: string,
    /** Further members of the API's error body. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** 400: semantically bad argument. */
export class BadRequest extends Failure {
  override name = "BadRequest";
  constructor(message: string) {
    super(400, message);
  }
}

/** 401: credentials missing where required, or present but wrong. */
export class Unauthorised extends Failure {
  override name = "Unauthorised";
  constructor(message = "token is required") {
    super(401, message);
  }
}

/** 403: known, but not allowed. */
export class Forbidden extends Failure {
  override name = "Forbidden";
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(403, message, details);
  }
}

/** 404: missing, or invisible to the caller; the two must look the same. */
export class NotFound extends Failure {
  override name = "NotFound";
  constructor(message = "not found") {
    super(404, message);
  }
}

/** 409: exists already, or changed under the caller's hands. */
export class Conflict extends Failure {
  override name = "Conflict";
  constructor(message: string) {
    super(409, message);
  }
}

/** 413 */
export class TooLarge extends Failure {
  override name = "TooLarge";
  constructor(message: string) {
    super(413, message);
  }
}

/** 422: a value of the request breaks a rule. `field` is the request's own name for it. */
export class ValidationFailed extends Failure {
  override name = "ValidationFailed";
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(422, message);
  }
}

/** 423: archived. */
export class Locked extends Failure {
  override name = "Locked";
  constructor(message: string) {
    super(423, message);
  }
}

/** 429 */
export class TooManyRequests extends Failure {
  override name = "TooManyRequests";
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(429, message);
  }
}

/** 503: writes are stopped, because the disk failed. */
export class WritesStopped extends Failure {
  override name = "WritesStopped";
  constructor() {
    super(
      503,
      "the server's disk failed; nothing is written until its operator has looked at it and started Hearth anew",
    );
  }
}

/** 507: no room left, or the disk cannot be written to. */
export class InsufficientStorage extends Failure {
  override name = "InsufficientStorage";
  constructor(message: string) {
    super(507, message);
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
