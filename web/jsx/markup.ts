/**
 * The nodes that views are made of. They are rendered once and immediately, so an element is little more than its two
 * tags: on a list of pull requests that takes a third of the time of nodes that can wait, be cloned and render in a
 * browser.
 */

/** Something that becomes HTML: an element, a component with its properties, or already safe HTML. */
export abstract class Markup {
  /** Distinguishes markup from everything else that can be turned into a string. */
  protected readonly isMarkup = true;

  /** The HTML. Throws when a child is neither markup nor a string or number. */
  abstract toString(): string;
}

/** Allowed content of an element; null, undefined and booleans render nothing. */
export type Child = string | number | boolean | null | undefined | Markup | readonly Child[];

/** Properties of an element or component, already type-checked where it is used. */
export type Props = Readonly<Record<string, unknown>> & { readonly children?: Child };
export type View = (props: Props) => Child;

export class Element extends Markup {
  constructor(
    private readonly open: string,
    private readonly children: Child,
    private readonly close: string,
  ) {
    super();
  }

  override toString(): string {
    return this.open + childHtml(this.children) + this.close;
  }
}

export class Component extends Markup {
  constructor(
    private readonly view: View,
    private readonly props: Props,
  ) {
    super();
  }

  /** Rendered late, so that the surrounding markup has set its language. */
  override toString(): string {
    return childHtml(this.view(this.props));
  }
}

export class SafeMarkup extends Markup {
  constructor(private readonly html: string) {
    super();
  }

  override toString(): string {
    return this.html;
  }
}

/** A child as HTML; strings are escaped. */
function childHtml(child: Child): string {
  if (typeof child === "string") return Bun.escapeHTML(child);
  if (child === undefined || child === null || typeof child === "boolean") return "";
  if (typeof child === "number") return String(child);
  if (child instanceof Markup) return child.toString();
  // An array, or a promise or other object that the types did not catch.
  if (!Array.isArray(child)) throw new Error("a view gets everything it shows: it waits for nothing");
  let html = "";
  for (const each of child) html += childHtml(each);
  return html;
}
