/** Addresses below `/console`, each as a person would type it. */
export declare const OUTSIDE_PAGES: readonly string[];
export declare const CUSTOMER_PAGES: readonly string[];
export declare const CUSTOMER_VIEWS: readonly string[];
export declare const OPERATOR_PAGES: readonly string[];
export declare const OPERATOR_VIEWS: readonly string[];
