/** What stands between two runs of as many backticks. */
const CODE = /(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;

/** The title of an issue or pull request: Markdown is not read in it, but what stands between backticks is code. */
export function ItemTitle({ text }: { text: string }) {
  if (!text.includes("`")) return <>{text}</>;
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(CODE)) {
    parts.push(text.slice(from, found.index), <code>{found[2]}</code>);
    from = found.index + found[0].length;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}
