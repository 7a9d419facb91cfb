/** The id of a heading: lower-case letters, digits, `_`, `-`; spaces become `-`, all else is dropped (web.md 4.2). */
export function slug(text: string): string {
  let out = "";
  for (const character of text.trim().toLowerCase()) {
    if (/[\p{L}\p{N}\p{M}_-]/u.test(character) && !/[\ufe00-\ufe0f\p{Emoji_Presentation}]/u.test(character))
      out += character;
    else if (/\s/u.test(character)) out += "-";
  }
  return out;
}

/** Gives each heading of a document a unique id: the second `setup` is `setup-1`. */
export class Slugs {
  private readonly used = new Map<string, number>();

  next(text: string): string {
    const wanted = slug(text);
    let number = this.used.get(wanted) ?? 0;
    let id = number === 0 ? wanted : `${wanted}-${number}`;
    while (number > 0 && this.used.has(id)) id = `${wanted}-${++number}`;
    this.used.set(wanted, number + 1);
    if (id !== wanted) this.used.set(id, 1);
    return id;
  }
}
