(* Roots.v -- points with coordinates in Q(a), a a real root of a polynomial; a number is the list of the
 * coefficients of 1, a, a^2, ...
 *
 * The hints are an interval in which the polynomial changes its sign, and the inverses of the numbers that
 * are divided by.  The polynomial may be reducible.
 *)
From Coq Require Import List Arith ZArith QArith Qreals Reals Lra Bool.
From Ckda Require Import Language Fractions Check Points.
Import ListNotations.
Local Open Scope nat_scope.

Definition number := list Q.
Record root := Root {
  tail : list Q;                      (* a^d = the number with these d coefficients *)
  low : Q;
  high : Q;                           (* 0 <= low <= a <= high *)
  inverses : list (number * number)
}.

Definition at_ (a : R) (x : number) : R := peval (map Q2R x) a.

(* ---- arithmetic ---- *)

Definition scaled (c : Q) (x : number) : number := map (fun y => Qred (c * y)) x.
Fixpoint plus (x y : number) : number :=
  match x, y with
  | [], _ => y
  | _, [] => x
  | c :: x', d :: y' => Qred (c + d) :: plus x' y'
  end.
Definition is_0 (x : number) := forallb (fun c => Qeq_bool c 0) x.
Definition opposite := scaled (-1).

Section Root.
  Variable r : root.
  Definition shifted (x : number) : number :=      (* times a *)
    if (length x =? length (tail r)) && (0 <? length x)
    then plus (0%Q :: removelast x) (scaled (last x 0%Q) (tail r))
    else 0%Q :: x.
  Definition product (x y : number) : number :=
    fold_right (fun c s => plus (scaled c y) (shifted s)) [] x.
  Definition inverse_of_constant (x : number) : option number :=
    match x with
    | c :: x' => if is_0 x' && negb (Qeq_bool c 0) then Some [Qred (/ c)] else None
    | [] => None
    end.
  Definition listed_inverse (x : number) : option number :=
    match List.find (fun p => is_0 (plus x (opposite (fst p)))) (inverses r) with
    | Some p => if is_0 (plus (product x (snd p)) [(-1)%Q]) then Some (snd p) else None
    | None => None
    end.
  Definition inverse x :=
    match inverse_of_constant x with Some y => Some y | None => listed_inverse x end.

  Definition both (f : number -> number -> number) x y :=
    match x, y with Some u, Some v => Some (f u v) | _, _ => None end.
  Definition quotient x y :=
    match y with
    | Some v => match inverse v with Some w => both product x (Some w) | None => None end
    | None => None
    end.
  Definition Aops : ops (option number) :=
    Ops (option number) (fun q => Some [Qred q]) (both plus) (both (fun u v => plus u (opposite v)))
        (both product) quotient (fun x => match x with Some u => Some (opposite u) | None => None end)
        (fun x f => match x with
                    | Some u => if is_0 u then Some [] else both product x (f tt)
                    | None => None
                    end).

  (* ---- signs, from an enclosure ---- *)

  Definition enclosure (x : number) : Q * Q :=
    fold_right (fun c s => (Qred (c + (if Qle_bool 0 (fst s) then low r else high r) * fst s),
                            Qred (c + (if Qle_bool 0 (snd s) then high r else low r) * snd s)))
               (0%Q, 0%Q) x.
  Definition decide o (x : number) : option bool :=
    if is_0 x then Some (match o with Ge => true | _ => false end)
    else if negb (Qle_bool (fst (enclosure x)) 0) then Some true
    else if negb (Qle_bool 0 (snd (enclosure x))) then Some (match o with Ne => true | _ => false end)
    else None.

  Definition side (q : Q) : Q :=                   (* the polynomial at q *)
    Qred (qpow q (length (tail r)) - fold_right (fun c s => Qred (c + q * s)) 0%Q (tail r)).
  Definition is_root :=
    Qle_bool 0 (low r) && Qle_bool (low r) (high r) && Qle_bool (side (low r) * side (high r)) 0.

  (* ---- what the real number a is ---- *)

  Variable a : R.
  Hypothesis bounds : (0 <= Q2R (low r) <= a)%R /\ (a <= Q2R (high r))%R.
  Hypothesis zero : (a ^ length (tail r))%R = at_ a (tail r).

  Lemma plus_ok x : forall y, at_ a (plus x y) = (at_ a x + at_ a y)%R.
  Proof.
    unfold at_. induction x as [|c x IH]; intros [|d y]; cbn [plus map]; unfold peval in *; cbn [fold_right]; try ring.
    rewrite IH, Q2R_red, Q2R_plus. ring.
  Qed.
  Lemma scaled_ok c x : at_ a (scaled c x) = (Q2R c * at_ a x)%R.
  Proof.
    unfold at_, scaled, peval. induction x as [|d x IH]; cbn [map fold_right]; [ring|].
    rewrite IH, Q2R_red, Q2R_mult. ring.
  Qed.
  Lemma opposite_ok x : at_ a (opposite x) = (- at_ a x)%R.
  Proof. unfold opposite. rewrite scaled_ok. unfold Q2R. simpl. lra. Qed.
  Lemma is_0_ok x : is_0 x = true -> at_ a x = 0%R.
  Proof.
    unfold at_, is_0, peval. induction x as [|c x IH]; cbn [forallb map fold_right]; auto.
    intros H. apply andb_prop in H as [H K]. apply Q2R_eqb in H. rewrite IH, H, Q2R_0 by assumption. ring.
  Qed.
  Lemma split_ok x c : at_ a (x ++ [c]) = (at_ a x + Q2R c * a ^ length x)%R.
  Proof.
    unfold at_, peval. induction x as [|d x IH]; cbn [app map fold_right length pow]; [ring|].
    rewrite IH. ring.
  Qed.
  Lemma shifted_ok x : at_ a (shifted x) = (a * at_ a x)%R.
  Proof.
    assert (S : forall y, at_ a (0%Q :: y) = (a * at_ a y)%R).
    { intros y. unfold at_, peval. cbn [map fold_right]. rewrite Q2R_0. ring. }
    unfold shifted. destruct (_ && _)%bool eqn:E; [|apply S].
    apply andb_prop in E as [E L]. apply Nat.eqb_eq in E. apply Nat.ltb_lt in L.
    assert (N : x <> []) by (intros ->; now apply Nat.lt_irrefl in L).
    rewrite plus_ok, scaled_ok, S. rewrite (app_removelast_last 0%Q N) at 3. rewrite split_ok, <- zero, <- E.
    rewrite (app_removelast_last 0%Q N) at 3. rewrite app_length. cbn [length].
    rewrite Nat.add_1_r. cbn [pow]. ring.
  Qed.
  Lemma product_ok x y : at_ a (product x y) = (at_ a x * at_ a y)%R.
  Proof.
    induction x as [|c x IH]; cbn [product fold_right]; [unfold at_, peval; simpl; ring|].
    fold (product x y). rewrite plus_ok, scaled_ok, shifted_ok, IH. unfold at_, peval. cbn [map fold_right]. ring.
  Qed.
  Lemma one_ok q : at_ a [q] = Q2R q.
  Proof. unfold at_, peval. cbn [map fold_right]. ring. Qed.
  Lemma inverse_ok x y : inverse x = Some y -> (at_ a x * at_ a y)%R = 1%R.
  Proof.
    unfold inverse. destruct (inverse_of_constant x) as [z|] eqn:E; intros H.
    - injection H as <-. unfold inverse_of_constant in E. destruct x as [|c x]; [discriminate|].
      destruct (is_0 x) eqn:Z; [|discriminate]. destruct (Qeq_bool c 0) eqn:C; [discriminate|].
      injection E as <-. apply is_0_ok in Z. rewrite one_ok, Q2R_red, Q2R_inv by (now apply Qeq_bool_neq).
      unfold at_, peval in *. cbn [map fold_right]. rewrite Z. apply Q2R_neqb in C. field. exact C.
    - clear E. revert H. unfold listed_inverse. destruct (List.find _ _) as [p|]; [|discriminate].
      destruct (is_0 (plus (product x (snd p)) _)) eqn:E; [|discriminate]. intros [= <-].
      apply is_0_ok in E. rewrite plus_ok, product_ok, one_ok in E. unfold Q2R in E. simpl in E. lra.
  Qed.

  Definition arel := orel (at_ a).
  Lemma both_ok f op u v x y : (forall s t, at_ a (f s t) = op (at_ a s) (at_ a t)) ->
    arel u x -> arel v y -> arel (op u v) (both f x y).
  Proof. intros F. destruct x, y; simpl; auto. intros -> ->. now rewrite F. Qed.

  Lemma numbers : related Rops Aops arel.
  Proof.
    constructor; cbn [Rops Aops cst add sub mul div opp times]; intros.
    - simpl. now rewrite one_ok, Q2R_red.
    - apply both_ok; auto using plus_ok.
    - apply both_ok; auto. intros. rewrite plus_ok, opposite_ok. ring.
    - apply both_ok; auto using product_ok.
    - unfold quotient. destruct y as [v|]; [|exact I]. destruct (inverse v) as [w|] eqn:W; [|exact I].
      apply inverse_ok in W. cbn [arel orel] in H0. subst b.
      replace (a0 / at_ a v)%R with (a0 * at_ a w)%R.
      + apply both_ok; auto using product_ok. reflexivity.
      + assert (at_ a v <> 0)%R by (intros Z; rewrite Z in W; lra).
        apply (Rmult_eq_reg_r (at_ a v)); auto. unfold Rdiv. rewrite !Rmult_assoc, Rinv_l, (Rmult_comm _ (at_ a v)), W; auto.
    - destruct x; simpl in *; auto. subst. now rewrite opposite_ok.
    - destruct x as [u|]; [|exact I]. destruct (is_0 u) eqn:Z.
      + apply is_0_ok in Z. simpl in *. subst. rewrite Z. unfold at_, peval. simpl. ring.
      + apply both_ok; auto using product_ok.
  Qed.

  Lemma enclosure_ok x : (Q2R (fst (enclosure x)) <= at_ a x <= Q2R (snd (enclosure x)))%R.
  Proof.
    unfold at_. induction x as [|c x IH]; unfold peval in *; cbn [enclosure map fold_right fst snd].
    - rewrite Q2R_0. lra.
    - fold (enclosure x). set (s := enclosure x) in *. rewrite !Q2R_red, !Q2R_plus, !Q2R_mult.
      set (v := fold_right _ _ _) in *. destruct bounds as [[L1 L2] U].
      assert (sign : forall q, if Qle_bool 0 q then (0 <= Q2R q)%R else (Q2R q < 0)%R).
      { intros q. destruct (Qle_bool 0 q) eqn:E.
        - apply Qle_bool_iff, Qle_Rle in E. now rewrite Q2R_0 in E.
        - apply Rnot_le_lt. intros K. rewrite <- Q2R_0 in K. apply Rle_Qle, Qle_bool_iff in K. congruence. }
      pose proof (sign (fst s)) as F. pose proof (sign (snd s)) as G.
      split; apply Rplus_le_compat_l.
      + apply (Rle_trans _ (a * Q2R (fst s))); [|apply Rmult_le_compat_l; lra].
        destruct (Qle_bool 0 (fst s)); [apply Rmult_le_compat_r; lra|].
        rewrite !(Rmult_comm _ (Q2R (fst s))). apply Rmult_le_compat_neg_l; lra.
      + apply (Rle_trans _ (a * Q2R (snd s))); [apply Rmult_le_compat_l; lra|].
        destruct (Qle_bool 0 (snd s)); [apply Rmult_le_compat_r; lra|].
        rewrite !(Rmult_comm _ (Q2R (snd s))). apply Rmult_le_compat_neg_l; lra.
  Qed.

  Lemma decide_ok o x :
    match decide o x with
    | Some true => compared o (at_ a x)
    | Some false => ~ compared o (at_ a x)
    | None => True
    end.
  Proof.
    pose proof (enclosure_ok x) as [L U]. unfold decide. destruct (is_0 x) eqn:Z.
    - apply is_0_ok in Z. destruct o; cbn [compared]; lra.
    - pose proof (test_ok Gt (fst (enclosure x))) as P. cbn [test compared] in P.
      destruct (negb (Qle_bool (fst (enclosure x)) 0)); [destruct o; cbn [compared]; lra|].
      pose proof (test_ok Ge (snd (enclosure x))) as N. cbn [test compared] in N.
      destruct (Qle_bool 0 (snd (enclosure x))); [exact I|]. destruct o; cbn [negb compared]; lra.
  Qed.
End Root.

(* ---- there is such a number: the intermediate value theorem ---- *)

Lemma polynomial_continuous c : continuity (peval c).
Proof.
  unfold peval. induction c as [|d c IH]; cbn [fold_right].
  - apply continuity_const. now intros x y.
  - apply (continuity_plus (fun _ => d) (fun x => (x * fold_right (fun u s => (u + x * s)%R) 0%R c)%R)).
    + apply continuity_const. now intros x y.
    + apply (continuity_mult (fun x => x)); [|exact IH]. exact (derivable_continuous _ derivable_id).
Qed.

Lemma power_continuous n : continuity (fun x => (x ^ n)%R).
Proof. apply derivable_continuous, derivable_pow. Qed.

Lemma side_ok r q : Q2R (side r q) = (Q2R q ^ length (tail r) - at_ (Q2R q) (tail r))%R.
Proof.
  unfold side. rewrite Q2R_red, Q2R_minus, Q2R_power. f_equal. unfold at_, peval.
  induction (tail r) as [|c t IH]; cbn [map fold_right]; [apply Q2R_0|].
  now rewrite Q2R_red, Q2R_plus, Q2R_mult, IH.
Qed.

Lemma root_exists r : is_root r = true -> exists a : R,
  ((0 <= Q2R (low r) <= a)%R /\ (a <= Q2R (high r))%R) /\ (a ^ length (tail r))%R = at_ a (tail r).
Proof.
  unfold is_root. intros H. apply andb_prop in H as [H S]. apply andb_prop in H as [P O].
  apply Qle_bool_iff, Qle_Rle in P, O, S. rewrite Q2R_0 in P, S. rewrite Q2R_mult, !side_ok in S.
  set (f := fun x => (x ^ length (tail r) - at_ x (tail r))%R).
  destruct (IVT_cor f (Q2R (low r)) (Q2R (high r))) as (a & B & Z); auto.
  - apply (continuity_minus (fun x => (x ^ length (tail r))%R)); [apply power_continuous|apply polynomial_continuous].
  - exists a. split; [lra|]. unfold f in Z. lra.
Qed.

(* ---- points ---- *)

Definition real_root (a : R) (p : list number) i : R := at_ a (nth i p []).
Definition coordinates (p : list number) i : option number := Some (nth i p []).
Lemma coordinates_ok a p i : arel a (real_root a p i) (coordinates p i).
Proof. reflexivity. Qed.

Theorem inhabited_at_root t r p :
  is_root r && check_admissible (Aops r) (decide r) (coordinates p) t = true -> inhabited t.
Proof.
  intros H. apply andb_prop in H as [R H]. destruct (root_exists r R) as (a & B & Z).
  exact (inhabited_at_point (Aops r) (at_ a) (decide r) (coordinates p) (numbers r a Z)
                            (decide_ok r a B) _ (coordinates_ok a p) t H).
Qed.
Theorem wrong_at_root t r p s :
  is_root r && check_wrong (Aops r) (decide r) (coordinates p) t s = true -> refuted t s.
Proof.
  intros H. apply andb_prop in H as [R H]. destruct (root_exists r R) as (a & B & Z).
  exact (wrong_at_point (Aops r) (at_ a) (decide r) (coordinates p) (numbers r a Z)
                        (decide_ok r a B) _ (coordinates_ok a p) t s H).
Qed.
