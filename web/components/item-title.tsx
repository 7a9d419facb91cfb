/** A line of text in which what stands between backticks is code, as in titles of issues (contract web.md 2.9). */
export function ItemTitle({ text }: { text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>;
}
