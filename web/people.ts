import type { User } from "../src/access/user.ts";
import { ghost } from "../src/identity/system-users.ts";
import type { Person } from "./components/avatar.tsx";
import { uploadedPicture, userHref } from "./links.ts";

/** An account as every page shows it: the same name, face and link in lists, in the header and on its own page. */
export function personOf(user: User): Person {
  return { name: user.login, href: userHref(user.login), ...uploadedPicture(user) };
}

/** An account by id; undefined when it is not in the map. */
export function personIn(people: ReadonlyMap<number, User>, id: number | undefined): Person | undefined {
  const user = id === undefined ? undefined : people.get(id);
  return user && personOf(user);
}

/** The author of something imported from another forge, or of a deleted account. */
export function absentPerson({ originalAuthor }: { readonly originalAuthor: string }): Person {
  const person = personOf(ghost);
  return originalAuthor === "" ? person : { ...person, name: originalAuthor };
}
