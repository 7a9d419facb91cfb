/** A line of text that renders backtick spans as code, as in issue titles (contract web.md 2.9). */
export function ItemTitle({ text }: { text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>;
}
