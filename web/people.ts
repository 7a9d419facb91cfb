import type { User } from "../src/access/user.ts";
import type { Person } from "./components/avatar.tsx";
import { uploadedPicture, userHref } from "./links.ts";

/** An account as every page shows it: the same name, face and link in lists, in the header and on its own page. */
export function personOf(user: User): Person {
  return { name: user.login, href: userHref(user.login), ...uploadedPicture(user) };
}
