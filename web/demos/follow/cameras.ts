/** Where the cameras stand, metres: numbers alone, which the tests read too. */
export const FIELD_OF_VIEW = 30; // degrees, from bottom to top

export const CAMERAS = {
  portrait: { name: "Portrait", from: [0, 1.53, 1.75], to: [0, 1.53, 0] },
  body: { name: "Body", from: [0, 1.05, 3.9], to: [0, 0.92, 0] },
  side: { name: "Side", from: [1.5, 1.62, 1.55], to: [0, 1.5, 0] },
} as const;

export type CameraName = keyof typeof CAMERAS;

/** A view higher than wide steps back, so that the shoulders stay in it. */
export const stepBack = (aspect: number): number => Math.max(1, 0.8 / aspect);
