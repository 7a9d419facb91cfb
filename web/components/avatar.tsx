import { FixedParts } from "../jsx/fixed-parts.ts";
import { drawnAvatarHref } from "../links.ts";
import { identicon } from "../site/identicon.ts";

export interface Person {
  /** The name to show: an account's user name, or a name from a commit. */
  readonly name: string;
  /** The account's page, if there is an account. */
  readonly href?: string;
  /** An uploaded picture; without one an identicon is drawn from the name. */
  readonly avatarUrl?: string;
}

/** Sizes as in the style sheet. */
type AvatarSize = 16 | 20 | 32 | 48 | 96;

/**
 * A person's picture: the uploaded one, or the identicon of the name, inlined so that it costs no request; at size 96
 * with a link (the account's page, where users may save it), an image file like the others. Decorative: the name is
 * always beside it.
 */
export function Avatar({ person, size = 20 }: { person: Person; size?: AvatarSize }) {
  const url = person.avatarUrl ?? (size === 96 && person.href ? drawnAvatarHref(person.name) : undefined);
  if (!url) return faces.of([person.name, size], () => <Face name={person.name} size={size} />);
  // Twice the pixels, for high-density screens.
  const src = `${url}?size=${size * 2}`;
  return <img class={`av av-s${size}`} src={src} width={size} height={size} alt="" loading="lazy" decoding="async" />;
}

/** A list shows the same few people in many rows. */
const faces = new FixedParts();

/** The identicon, the same as `/avatars/{name}`; the white background comes from the style sheet. */
function Face({ name, size }: { name: string; size: AvatarSize }) {
  const { squares, colour } = identicon(name);
  return (
    <svg class={`av av-s${size}`} viewBox="-.4 -.4 5.8 5.8" width={size} height={size} aria-hidden="true">
      <path fill={`rgb(${colour.join(" ")})`} d={squares.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join("")} />
    </svg>
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

/** Rows of people with their pictures and names. */
export function PeopleList({ people }: { people: readonly (Person & { readonly fullName: string })[] }) {
  return (
    <ul class="list">
      {people.map((person) => (
        <li class="row">
          <Avatar person={person} size={32} />
          <p>
            <PersonName person={person} /> <span class="muted">{person.fullName}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
