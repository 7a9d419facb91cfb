/**
 * Why a text cannot be shown as a link to a website; undefined if it can. An empty text is fine.
 * @param rule.maxLength in characters
 * @param rule.scheme whether `http:` or `https:` is required; if optional, any text is accepted. Any other scheme is
 *   always refused, so that a link cannot run code
 */
export function websiteProblem(
  text: string,
  rule: { readonly maxLength: number; readonly scheme: "required" | "optional" },
): "value.too-long" | "value.not-a-url" | undefined {
  if (text === "") return undefined;
  if ([...text].length > rule.maxLength) return "value.too-long";
  // Browsers ignore control characters inside a scheme.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return "value.not-a-url";
  if (rule.scheme === "required") return !text.includes(" ") && isHttpUrl(text) ? undefined : "value.not-a-url";
  const scheme = /^ *([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text)?.[1]?.toLowerCase();
  return scheme === undefined || scheme === "http" || scheme === "https" ? undefined : "value.not-a-url";
}

/** Whether a text is an absolute http or https URL. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
