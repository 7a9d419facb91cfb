export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log, one line per entry, on standard error. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: "text" | "json";
  write(line: string): void;
}

// A credential in a URL's query or userinfo must never reach a log (security rules B7, C15), nor one in a URL nested
// inside another parameter, as in ?redirect_to=%2Fx%3Ftoken%3D…: percent-encoded separators count, too.
const queryPair = /([?&]|%3f|%26)([^=&\s"]{1,60}?)(=|%3d)((?:(?!%26)[^&\s"])+)/gi;
const userInUrl = /(\/\/)[^/@\s"]+@/g;
const secretNames = /^(?:token|access_token|refresh_token|password|passwd|secret|code|setup|otp|old_password|retype)$/i;

export function redact(text: string): string {
  return hideIn(text, 0).replace(userInUrl, (_, slashes: string) => `${slashes}…@`);
}

function hideIn(text: string, depth: number): string {
  return text.replace(queryPair, (pair: string, separator: string, name: string, equals: string, value: string) => {
    if (secretNames.test(plainName(name))) return `${separator}${name}${equals}…`;
    return depth > 3 ? pair : `${separator}${name}${equals}${hideIn(value, depth + 1)}`;
  });
}

/** A parameter's name as the server decodes it. */
function plainName(name: string): string {
  try {
    return decodeURIComponent(decodeURIComponent(name));
  } catch {
    return name;
  }
}

const controls = /[\u0000-\u001f\u007f-\u009f]/g;

function printable(value: unknown): string {
  if (value instanceof Error)
    return printable(`${value.name}: ${value.message}${value.stack ? `\n${value.stack}` : ""}`);
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return redact(text).replace(controls, (c) =>
    c === "\n" ? "\\n" : `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

export function makeLog(options: LogOptions): Log {
  const threshold = logLevels.indexOf(options.level);
  const put = (level: LogLevel, message: string, fields: LogFields = {}) => {
    if (logLevels.indexOf(level) < threshold) return;
    const at = new Date().toISOString();
    if (options.format === "json") {
      const safe = Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [
          key,
          typeof value === "number" || typeof value === "boolean" ? value : printable(value),
        ]),
      );
      options.write(JSON.stringify({ at, level, message: printable(message), ...safe }));
      return;
    }
    const tail = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(
        ([key, value]) =>
          ` ${key}=${/[\s"]/.test(printable(value)) ? JSON.stringify(printable(value)) : printable(value)}`,
      )
      .join("");
    options.write(`${at} ${level.padEnd(5)} ${printable(message)}${tail}`);
  };
  return {
    debug: (message, fields) => put("debug", message, fields),
    info: (message, fields) => put("info", message, fields),
    warn: (message, fields) => put("warn", message, fields),
    error: (message, fields) => put("error", message, fields),
  };
}
