export interface Person {
  /** The name to show; an account's user name, or a name out of a commit. */
  readonly name: string;
  /** The account's page, when there is an account. */
  readonly href?: string;
  /** An uploaded picture; without one the initials are drawn, which costs no request. */
  readonly avatarUrl?: string;
}

const COLOURS = 10;

function initials(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const text = letters.map((word) => [...(word ?? "")][0] ?? "").join("");
  return text === "" ? "?" : text.toUpperCase();
}

/** A number that stays the same for a name, to give each account its colour. */
function colourOf(name: string): number {
  return Bun.hash.crc32(name.toLowerCase()) % COLOURS;
}

/** The picture of a person, or the initials on the person's colour. Decoration: the name always stands beside it. */
export function Avatar({ person, size = 20 }: { person: Person; size?: 16 | 20 | 32 | 48 | 96 }) {
  if (person.avatarUrl)
    return (
      <img
        class={`av av-s${size}`}
        src={person.avatarUrl}
        width={size}
        height={size}
        alt=""
        loading="lazy"
        decoding="async"
      />
    );
  return (
    <span class={`av av-s${size} av-${colourOf(person.name)}`} aria-hidden="true">
      {initials(person.name)}
    </span>
  );
}

/** A name, linked when it belongs to an account. */
export function PersonName({ person }: { person: Person }) {
  return person.href ? (
    <a class="person" href={person.href}>
      {person.name}
    </a>
  ) : (
    <span class="person">{person.name}</span>
  );
}
