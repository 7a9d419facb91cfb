/**
 * What keeps a text from being shown as a link to a website; undefined when nothing does. Empty is fine.
 * @param rule.maxLength in characters
 * @param rule.scheme whether `http:` or `https:` must be written; where not, any words will do. No other scheme is ever
 *   taken, so that a link runs nothing
 */
export function websiteProblem(
  text: string,
  rule: { readonly maxLength: number; readonly scheme: "required" | "optional" },
): "value.too-long" | "value.not-a-url" | undefined {
  if (text === "") return undefined;
  if ([...text].length > rule.maxLength) return "value.too-long";
  // Browsers pass over control characters inside a scheme.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return "value.not-a-url";
  if (rule.scheme === "required") return !text.includes(" ") && isHttpUrl(text) ? undefined : "value.not-a-url";
  const scheme = /^ *([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text)?.[1]?.toLowerCase();
  return scheme === undefined || scheme === "http" || scheme === "https" ? undefined : "value.not-a-url";
}

/** Whether a text is an absolute address of the web. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
