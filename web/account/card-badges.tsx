import type { ProfileCardPart } from "../area.ts";
import { Badge } from "../components/surface.tsx";

/** The badges that administrators gave an account. */
export const cardBadges: ProfileCardPart = {
  id: "badges",
  order: 5,
  place: "head",
  show: ({ userBadges }, _, user) => {
    const badges = userBadges.of(user);
    if (badges.length === 0) return null;
    return (
      <p class="row">
        {badges.map(({ slug, description }) => (
          <Badge icon="tag">{description || slug}</Badge>
        ))}
      </p>
    );
  },
};
