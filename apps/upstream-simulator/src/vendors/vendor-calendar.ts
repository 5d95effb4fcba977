interface Retirement {
  /** The first day without the model, by the vendor's own notice. */
  readonly day: string;
  /** The vendor answers with this model instead of refusing, and bills it. */
  readonly routesTo?: string;
}

/** By vendor and model. Each date is one that the vendor has published, or that several of its resellers agree on. */
const RETIREMENTS: Readonly<Record<string, Readonly<Record<string, Retirement>>>> = {
  openai: {
    'gpt-image-1': { day: '2026-10-23' },
    'gpt-image-1.5': { day: '2026-12-01' },
    'gpt-5-pro': { day: '2026-12-11' },
  },
  gemini: {
    'gemini-2.5-pro': { day: '2026-12-01', routesTo: 'gemini-3.8-flash' },
    'gemini-2.5-flash': { day: '2026-12-01', routesTo: 'gemini-3.5-flash-lite' },
  },
  ark: {
    'seedance-1-5-pro-251215': { day: '2026-11-11' },
  },
};

/** What the vendors serve on the simulated day. */
export class VendorCalendar {
  /** `day`: an ISO date; undefined: today. */
  constructor(private readonly day?: string) {}

  /** The announced last day's successor day; null if none is announced. */
  shutdownDay(vendor: string, model: string): string | null {
    return RETIREMENTS[vendor]?.[model]?.day ?? null;
  }

  isRetired(vendor: string, model: string): boolean {
    const day = this.shutdownDay(vendor, model);
    return day !== null && day <= (this.day ?? new Date().toISOString().slice(0, 10));
  }

  /** The model that answers for this name; undefined if none does. */
  servedAs(vendor: string, model: string): string | undefined {
    return this.isRetired(vendor, model) ? RETIREMENTS[vendor]?.[model]?.routesTo : model;
  }
}
