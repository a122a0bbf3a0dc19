/** Adjectives of the continuous quality scale (ITU-R BS.1534), the best first; each covers 20 of 100 points. */
export const adjectives = ['Excellent', 'Good', 'Fair', 'Poor', 'Bad'];

/** The adjective of a score from 0 to 100. */
export const adjective = (score) => adjectives[Math.min(4, Math.floor((100 - score) / 20))];

/** A score in words, for screen readers; null is not rated. */
export const scoreText = (score) => (score === null ? 'not rated yet' : `${Math.round(score)}, ${adjective(score)}`);
