import type { User } from "../../src/access/user.ts";
import { uploadedPicture } from "../links.ts";
import { AvatarCard } from "./card.tsx";

/** A card on the page where administrators edit an account. */
export function adminAvatarCard(user: User) {
  return <AvatarCard action={`/-/admin/users/${user.id}/avatar`} name={user.login} {...uploadedPicture(user)} />;
}
