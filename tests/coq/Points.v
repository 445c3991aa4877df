(* Points.v -- counterexamples: a statement is wrong at a point that satisfies every hypothesis.
 * Here the points are rational; Roots.v has irrational ones.
 *)
From Coq Require Import List Arith ZArith QArith Qreals Reals Lra Bool.
From Ckda Require Import Language Fractions Check.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- a point with coordinates in any numbers whose signs can be decided ----
 * None is "not known"; phi is the real number that is meant, decide may fail as well.          *)

Section Point.
  Context {U : Type} (O : ops (option U)) (phi : U -> R) (decide : order -> U -> option bool).
  Definition orel (a : R) (x : option U) := match x with Some u => a = phi u | None => True end.
  Definition decided (yes : bool) o (x : option U) :=
    match x with
    | Some u => match decide o u with Some b => eqb yes b | None => false end
    | None => false
    end.
  Variable p : nat -> option U.
  Definition at_point t e := val O p t e.
  Definition surely_equal x y := decided false Ne (sub O x y).
  Definition differ x y := decided true Ne (sub O x y).

  Definition check_admissible t :=
    forallb (fun r => forall2b (forall2b surely_equal) (at_point t (fst r)) (at_point t (snd r)))
            (relations t) &&
    forallb (fun a => decided true (fst a) (gap O p t (snd a))) (assumptions t) &&
    forallb (fun e => decided true Ne (value O (eval e _ O p []))) (nonzero t).
  Definition check_wrong t s :=
    check_admissible t &&
    match s with
    | Eq a b => negb (forall2b (forall2b (fun x y => negb (differ x y))) (at_point t a) (at_point t b))
    | Cmp o a b => decided false o (gap O p t (a, b))
    | Divides _ _ _ _ => false
    end.

  Hypothesis HR : related Rops O orel.
  Hypothesis decide_ok : forall o u,
    match decide o u with
    | Some true => compared o (phi u)
    | Some false => ~ compared o (phi u)
    | None => True
    end.
  Variable rho : nat -> R.
  Hypothesis Hp : forall i, orel (rho i) (p i).

  Lemma decided_ok yes o a x :
    orel a x -> decided yes o x = true -> if yes then compared o a else ~ compared o a.
  Proof.
    unfold decided. destruct x as [u|]; [|discriminate]. cbn [orel]. intros ->.
    pose proof (decide_ok o u) as D. destruct (decide o u) as [b|]; [|discriminate].
    intros E. apply eqb_prop in E. now subst.
  Qed.

  Lemma at_point_ok t e : mrel orel (val Rops rho t e) (at_point t e).
  Proof. now apply val_related. Qed.

  Theorem admissible_at_point t : check_admissible t = true -> admissible t rho.
  Proof.
    unfold check_admissible. intros H. apply andb_prop in H as [H H3].
    apply andb_prop in H as [H1 H2]. rewrite forallb_forall in H1, H2, H3.
    split; [|split].
    - intros r I. specialize (H1 r I).
      refine (forall2b_ok _ _ _ _ _ _ _ (at_point_ok t _) (at_point_ok t _) H1).
      intros u x v y. apply forall2b_ok. intros a x' b y' Ha Hb E.
      apply (decided_ok _ _ (a - b)%R) in E; [|now apply (r_sub _ _ _ HR)].
      cbn [compared] in E. apply Rminus_diag_uniq. now destruct (Req_dec (a - b) 0).
    - intros a I. apply (decided_ok _ _ _ _ (gap_related _ _ _ _ _ t HR _ Hp) (H2 a I)).
    - intros e I. refine (decided_ok _ Ne _ _ _ (H3 e I)).
      apply (rel_get _ _ _ HR), eval_related; auto.
  Qed.

  Theorem inhabited_at_point t : check_admissible t = true -> inhabited t.
  Proof. intros H. exists rho. now apply admissible_at_point. Qed.

  Lemma forall2b_same {A B} (r : A -> B -> Prop) f l :
    (forall a x y, r a x -> r a y -> f x y = true) ->
    forall l1 l2, Forall2 r l l1 -> Forall2 r l l2 -> forall2b f l1 l2 = true.
  Proof.
    intros H. induction l; intros l1 l2 K1 K2; inversion K1; inversion K2; subst; simpl; auto.
    apply andb_true_intro; eauto.
  Qed.

  Theorem wrong_at_point t s : check_wrong t s = true -> refuted t s.
  Proof.
    unfold check_wrong. intros H. apply andb_prop in H as [A H].
    exists rho. split; [now apply admissible_at_point|].
    destruct s as [a b|o a b|]; cbn [meaning]; [| |discriminate].
    - intros E. apply negb_true_iff in H. enough (K : true = false) by discriminate.
      rewrite <- H. symmetry.
      pose proof (at_point_ok t a) as Ka. pose proof (at_point_ok t b) as Kb. rewrite E in Ka.
      refine (forall2b_same _ _ _ _ _ _ Ka Kb).
      intros u x y Hx Hy. refine (forall2b_same orel _ u _ _ _ Hx Hy).
      intros c x' y' Hx' Hy'. apply negb_true_iff, not_true_iff_false. intros D.
      apply (decided_ok _ _ (c - c)%R) in D; [|now apply (r_sub _ _ _ HR)].
      cbn [compared] in D. apply D. ring.
    - exact (decided_ok _ _ _ _ (gap_related _ _ _ _ _ t HR _ Hp) H).
  Qed.
End Point.

(* ---- rational points ---- *)

Definition lift2 (f : Q -> Q -> Q) (a b : option Q) :=
  match a, b with Some x, Some y => Some (Qred (f x y)) | _, _ => None end.
Definition divq (a b : option Q) :=
  match b with Some y => if Qeq_bool y 0 then None else lift2 Qdiv a b | None => None end.
Definition timesq (a : option Q) (f : unit -> option Q) :=
  match a with
  | Some x => if Qeq_bool x 0 then Some 0%Q else lift2 Qmult a (f tt)
  | None => None
  end.
Definition Qops : ops (option Q) :=
  Ops (option Q) (fun q => Some (Qred q)) (lift2 Qplus) (lift2 Qminus) (lift2 Qmult) divq
      (fun a => match a with Some x => Some (Qred (- x)) | None => None end) timesq.

Lemma points : related Rops Qops (orel Q2R).
Proof.
  constructor; cbn [Rops Qops cst add sub mul div opp times]; unfold lift2; intros.
  - cbn [orel]. now rewrite Q2R_red.
  - destruct x, y; cbn [orel] in *; auto. subst. now rewrite Q2R_red, Q2R_plus.
  - destruct x, y; cbn [orel] in *; auto. subst. now rewrite Q2R_red, Q2R_minus.
  - destruct x, y; cbn [orel] in *; auto. subst. now rewrite Q2R_red, Q2R_mult.
  - unfold divq, lift2. destruct y as [y|]; [|exact I].
    destruct (Qeq_bool y 0) eqn:E; [exact I|].
    destruct x; cbn [orel] in *; auto. subst. now rewrite Q2R_red, Q2R_quotient.
  - destruct x; cbn [orel] in *; auto. subst. now rewrite Q2R_red, Q2R_opp.
  - unfold timesq, lift2. destruct x as [x|]; [|exact I]. cbn [orel] in *. subst.
    destruct (Qeq_bool x 0) eqn:E.
    + apply Q2R_eqb in E. rewrite E, Q2R_0. cbn [orel]. rewrite Q2R_0. ring.
    + destruct (g tt); cbn [orel] in *; auto. subst. now rewrite H0, Q2R_red, Q2R_mult.
Qed.

Definition test o (q : Q) :=
  match o with Ge => Qle_bool 0 q | Gt => negb (Qle_bool q 0) | Ne => negb (Qeq_bool q 0) end.

Lemma test_ok o q : if test o q then compared o (Q2R q) else ~ compared o (Q2R q).
Proof.
  destruct o; simpl.
  - destruct (Qle_bool 0 q) eqn:E.
    + apply Qle_bool_iff, Qle_Rle in E. now rewrite Q2R_0 in E.
    + intros K. rewrite <- Q2R_0 in K. apply Rle_Qle, Qle_bool_iff in K. congruence.
  - destruct (Qle_bool q 0) eqn:E; simpl.
    + apply Qle_bool_iff, Qle_Rle in E. rewrite Q2R_0 in E. lra.
    + apply Rnot_le_lt. intros K. rewrite <- Q2R_0 in K.
      apply Rle_Qle, Qle_bool_iff in K. congruence.
  - destruct (Qeq_bool q 0) eqn:E; simpl.
    + apply Q2R_eqb in E. rewrite Q2R_0 in E. auto.
    + now apply Q2R_neqb.
Qed.

Definition qtest o q := Some (test o q).
Lemma qtest_ok o q :
  match qtest o q with
  | Some true => compared o (Q2R q)
  | Some false => ~ compared o (Q2R q)
  | None => True
  end.
Proof. unfold qtest. pose proof (test_ok o q). now destruct (test o q). Qed.

Definition real (p : list Q) : nat -> R := fun i => Q2R (nth i p 0%Q).
Definition rational (p : list Q) : nat -> option Q := fun i => Some (nth i p 0%Q).
Definition evalq t p e := at_point Qops (rational p) t e.
Definition fits t p := check_admissible Qops qtest (rational p) t.

Lemma rational_ok p i : orel Q2R (real p i) (rational p i).
Proof. reflexivity. Qed.
Lemma evalq_ok t p e : mrel (orel Q2R) (val Rops (real p) t e) (evalq t p e).
Proof. exact (at_point_ok Qops Q2R (rational p) points _ (rational_ok p) t e). Qed.
Lemma fits_ok t p : fits t p = true -> admissible t (real p).
Proof. exact (admissible_at_point Qops Q2R qtest (rational p) points qtest_ok _ (rational_ok p) t). Qed.
Theorem inhabited_sound t p : fits t p = true -> inhabited t.
Proof. exact (inhabited_at_point Qops Q2R qtest (rational p) points qtest_ok _ (rational_ok p) t). Qed.
Theorem wrong_sound t p s : check_wrong Qops qtest (rational p) t s = true -> refuted t s.
Proof. exact (wrong_at_point Qops Q2R qtest (rational p) points qtest_ok _ (rational_ok p) t s). Qed.

(* ---- no quotient ----
 * At the points x_i of a line, numbers l_i with sum l_i f(x_i) x_i^j = 0 for every j < n, but
 * sum l_i g(x_i) <> 0: then g is not f times a polynomial with n coefficients.               *)

Definition set_at (p : list Q) x v :=
  map (fun i => if i =? x then v else nth i p 0%Q) (seq 0 (max (length p) (S x))).
Definition sample := (Q * Q * (Q * Q))%type. (* x_i, l_i, f, g *)
Definition sample_at t p f g x (w : Q * Q) : option sample :=
  let p' := set_at p x (fst w) in
  if fits t p' then
    match value Qops (evalq t p' f), value Qops (evalq t p' g) with
    | Some a, Some b => Some (fst w, snd w, (a, b))
    | _, _ => None
    end
  else None.
Fixpoint qpow (x : Q) n : Q := match n with 0 => 1%Q | S k => Qred (x * qpow x k) end.
Definition moment (s : list sample) j : Q :=
  fold_right (fun '(x, l, (f, _)) m => Qred (l * f * qpow x j + m)) 0%Q s.
Definition weighed (s : list sample) : Q :=
  fold_right (fun '(x, l, (_, g)) m => Qred (l * g + m)) 0%Q s.
Definition check_no_quotient t p n f g x w :=
  fits t p &&
  match all_some (sample_at t p f g x) w with
  | Some s => forallb (fun j => Qeq_bool (moment s j) 0) (seq 0 n) && negb (Qeq_bool (weighed s) 0)
  | None => false
  end.

Lemma nth_map_seq {A} (F : nat -> A) m i d : i < m -> nth i (map F (seq 0 m)) d = F i.
Proof.
  intros. rewrite (nth_indep _ d (F 0)) by (now rewrite map_length, seq_length).
  now rewrite map_nth, seq_nth.
Qed.

Lemma real_set_at p x v i : real (set_at p x v) i = upd (real p) x (Q2R v) i.
Proof.
  unfold real, set_at, upd. destruct (Nat.lt_ge_cases i (max (length p) (S x))) as [L|L].
  - rewrite nth_map_seq by exact L. now destruct (i =? x).
  - rewrite nth_overflow by (now rewrite map_length, seq_length).
    replace (i =? x) with false.
    + rewrite nth_overflow; auto. eapply Nat.le_trans; [apply Nat.le_max_l|exact L].
    + symmetry. apply Nat.eqb_neq. intros ->.
      apply (Nat.le_trans _ _ _ (Nat.le_max_r (length p) (S x))) in L.
      now apply Nat.nle_succ_diag_l in L.
Qed.

Definition Rmoment (s : list sample) m (c : list R) : R :=
  fold_right (fun '(x, l, (f, _)) r => (Q2R l * Q2R f * Q2R x ^ m * peval c (Q2R x) + r)%R) 0%R s.

Lemma Q2R_power x j : Q2R (qpow x j) = (Q2R x ^ j)%R.
Proof.
  induction j; cbn [qpow pow]; [apply Q2R_1|]. now rewrite Q2R_red, Q2R_mult, IHj.
Qed.

Lemma moments_vanish s : forall c m,
  (forall j, j < length c -> (moment s (m + j) == 0)%Q) -> Rmoment s m c = 0%R.
Proof.
  assert (M : forall j, Q2R (moment s j)
                        = fold_right (fun '(x, l, (f, _)) r => (Q2R l * Q2R f * Q2R x ^ j + r)%R)
                                     0%R s).
  { intros j. unfold moment. induction s as [|[[x l] [f g]] s IH]; cbn [fold_right];
      [apply Q2R_0|]. now rewrite Q2R_red, Q2R_plus, !Q2R_mult, Q2R_power, IH. }
  induction c as [|a c IH]; intros m H.
  - unfold Rmoment. clear. induction s as [|[[x l] [f g]] s IH]; cbn [fold_right]; auto.
    rewrite IH. simpl. ring.
  - assert (E : Rmoment s m (a :: c) = (a * Q2R (moment s m) + Rmoment s (S m) c)%R).
    { rewrite M. unfold Rmoment. clear.
      induction s as [|[[x l] [f g]] s IH]; cbn [fold_right]; [ring|].
      rewrite IH. unfold peval. cbn [fold_right pow]. ring. }
    rewrite E, IH.
    + assert (Z : Q2R (moment s m) = 0%R).
      { rewrite <- Q2R_0. apply Qeq_eqR. specialize (H 0). rewrite Nat.add_0_r in H. apply H.
        simpl. apply Nat.lt_0_succ. }
      rewrite Z. ring.
    + intros j L. specialize (H (S j)). rewrite Nat.add_succ_r in H. apply H.
      simpl. now apply -> Nat.succ_lt_mono.
Qed.

Lemma admissible_ext t r r' : (forall i, r i = r' i) -> admissible t r -> admissible t r'.
Proof.
  intros E (A1 & A2 & A3).
  assert (V : forall e, val Rops r t e = val Rops r' t e).
  { intros e. apply rel_eq, val_related; auto using related_eq. }
  split; [|split].
  - intros p I. rewrite <- !V. auto.
  - intros a I. unfold gap. rewrite <- !V. apply A2, I.
  - intros e I. rewrite <- (eval_ext e r r' [] E). auto.
Qed.

Theorem no_quotient_sound t p n f g x w :
  check_no_quotient t p n f g x w = true -> refuted t (Divides n f g x).
Proof.
  unfold check_no_quotient. intros H. apply andb_prop in H as [A H].
  destruct (all_some _ w) as [s|] eqn:S; [|discriminate]. apply andb_prop in H as [Z N].
  exists (real p). split; [now apply fits_ok|]. intros (c & L & K).
  assert (E : Rmoment s 0 c = Q2R (weighed s)).
  { clear Z N. revert s S. induction w as [|[x0 l] w IH]; intros s; simpl.
    - intros [= <-]. simpl. now rewrite Q2R_0.
    - destruct (sample_at t p f g x (x0, l)) as [v|] eqn:V; [|discriminate].
      destruct (all_some _ w) as [s'|]; [|discriminate]. intros [= <-].
      unfold sample_at in V; cbn [fst snd] in V.
      destruct (fits t (set_at p x x0)) eqn:Ad; [|discriminate].
      apply fits_ok in Ad.
      pose proof (rel_get _ _ _ points _ _ 0 0 (evalq_ok t (set_at p x x0) f)) as Kf.
      pose proof (rel_get _ _ _ points _ _ 0 0 (evalq_ok t (set_at p x x0) g)) as Kg.
      unfold value in V.
      destruct (get Qops (evalq t (set_at p x x0) f) 0 0) as [a|]; [|discriminate].
      destruct (get Qops (evalq t (set_at p x x0) g) 0 0) as [b|]; [|discriminate].
      injection V as <-. cbn [orel] in Kf, Kg.
      specialize (K (Q2R x0)). cbv zeta in K.
      assert (Vx : forall e, val Rops (real (set_at p x x0)) t e
                             = val Rops (upd (real p) x (Q2R x0)) t e).
      { intros e. apply rel_eq, val_related; [apply related_eq|]. apply real_set_at. }
      assert (Ad' : admissible t (upd (real p) x (Q2R x0))).
      { revert Ad. apply admissible_ext, real_set_at. }
      specialize (K Ad'). rewrite <- !Vx in K. unfold value in K. rewrite Kf, Kg in K.
      unfold Rmoment, weighed in *. cbn [fold_right].
      rewrite (IH s' eq_refl), Q2R_red, Q2R_plus, Q2R_mult, K. simpl. ring. }
  rewrite moments_vanish in E.
  - apply negb_true_iff in N. apply Q2R_neqb in N. auto.
  - intros j J. rewrite forallb_forall in Z. apply Qeq_bool_eq, Z.
    apply in_seq. rewrite L in J. split; [apply Nat.le_0_l|exact J].
Qed.
